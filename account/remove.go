package account

import (
	"context"

	"github.com/apguard/apguard/audit"
)

// RemoveUser removes a user and the API keys that act for the user, or returns
// [ErrUserNotFound]. What the user did stays, with the ID instead of the name: reports,
// reviews, notes, and changes of status. Other processes may cache a key for
// [KeyCacheTTL].
func (s *Service) RemoveUser(ctx context.Context, id int64) error {
	return s.store.RemoveUser(ctx, id, s.entry(ctx, audit.KindUser, audit.ActionRemoved, id))
}

// RemoveGroup removes a group of an organization, or returns [ErrGroupNotFound]. The assets
// of the group stay on the allowlist, without a group.
func (s *Service) RemoveGroup(ctx context.Context, organizationID, id int64) error {
	return s.store.RemoveGroup(ctx, organizationID, id, s.groupEntry(ctx, audit.ActionRemoved, organizationID, id))
}

// RemoveOrganization removes an organization with its groups and API keys, or returns
// [ErrOrganizationNotFound]. What the organization did stays: its reports, its allowlist,
// without groups, and the statuses that follow from them. The method Clear of
// allowlist.Service undoes the effect of the allowlist, before or after. Other processes may cache a key for [KeyCacheTTL].
func (s *Service) RemoveOrganization(ctx context.Context, id int64) error {
	return s.store.RemoveOrganization(ctx, id, s.entry(ctx, audit.KindOrganization, audit.ActionRemoved, id))
}

// Removed returns the entry of a key that is removed with its organization or its user, whose
// entry is given. Stores call it.
func (k Key) Removed(owner audit.Entry) audit.Entry {
	if owner.IsZero() {
		return owner
	}
	return k.describe(audit.Entry{At: owner.At, Actor: owner.Actor, Kind: audit.KindKey, Action: audit.ActionRemoved})
}
