package account

import (
	"context"

	"github.com/apguard/apguard/audit"
)

// DeactivateOrganization suspends the access of an organization: none of its keys grants access until
// [Service.ReactivateOrganization]. Its allowlist, its reports and the statuses that follow from them
// stay. Deactivating it again changes nothing. Any process may cache a key for [KeyCacheTTL]. A host
// application that authenticates callers without a [KeyService] must look at Deactivated itself.
//
// It returns the organization, or [ErrOrganizationNotFound].
func (s *Service) DeactivateOrganization(ctx context.Context, id int64) (Organization, error) {
	return s.setOrganizationDeactivated(ctx, id, audit.ActionDeactivated, true)
}

// ReactivateOrganization ends [Service.DeactivateOrganization]. Its keys grant access again, unless they
// are revoked or expired, or have a deactivated user. It returns the organization, or
// [ErrOrganizationNotFound].
func (s *Service) ReactivateOrganization(ctx context.Context, id int64) (Organization, error) {
	return s.setOrganizationDeactivated(ctx, id, audit.ActionReactivated, false)
}

func (s *Service) setOrganizationDeactivated(ctx context.Context, id int64, action audit.Action, deactivated bool) (Organization, error) {
	return s.updateOrganization(ctx, id, action, func(o Organization) Organization {
		o.Deactivated = deactivated
		return o
	})
}

// DeactivateUser suspends the access of a user: no key that acts for the user grants access until
// [Service.ReactivateUser]. What the user did stays. Deactivating the user again changes nothing. Any
// process may cache a key for [KeyCacheTTL].
//
// It returns the user, or [ErrUserNotFound].
func (s *Service) DeactivateUser(ctx context.Context, id int64) (User, error) {
	return s.setUserDeactivated(ctx, id, audit.ActionDeactivated, true)
}

// ReactivateUser ends [Service.DeactivateUser]. The keys of the user grant access again, unless they are
// revoked or expired, or have a deactivated organization. It returns the user, or [ErrUserNotFound].
func (s *Service) ReactivateUser(ctx context.Context, id int64) (User, error) {
	return s.setUserDeactivated(ctx, id, audit.ActionReactivated, false)
}

func (s *Service) setUserDeactivated(ctx context.Context, id int64, action audit.Action, deactivated bool) (User, error) {
	return s.updateUser(ctx, id, action, func(u User) User {
		u.Deactivated = deactivated
		return u
	})
}
