package account

import (
	"cmp"
	"context"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
)

// OrganizationRenameRequest is the request of [Service.RenameOrganization].
type OrganizationRenameRequest struct {
	ID int64
	// Slug and Name replace those of the [Organization]. An empty one stays as it is; one of them is
	// set. Name has at most [MaxName] bytes.
	Slug string
	Name string
}

// Validate returns an [*asset.InputError] that names every invalid field.
func (r OrganizationRenameRequest) Validate() error {
	var issues asset.Issues
	issues.Check(r.Slug != "" || r.Name != "", "", "a slug or a name is required")
	issues.CheckID("id", r.ID)
	return asset.JoinInput(issues.Err(), OrganizationRequest{Slug: cmp.Or(r.Slug, "unchanged"), Name: r.Name}.Validate())
}

// RenameOrganization changes the slug or the name of an organization and returns it. Requests with the
// old slug fail from then on. It returns an [*asset.InputError] for invalid input,
// [ErrOrganizationNotFound] or [ErrSlugTaken].
func (s *Service) RenameOrganization(ctx context.Context, req OrganizationRenameRequest) (Organization, error) {
	if err := req.Validate(); err != nil {
		return Organization{}, err
	}
	return s.updateOrganization(ctx, req.ID, audit.ActionChanged, func(o Organization) Organization {
		o.Slug, o.Name = cmp.Or(req.Slug, o.Slug), cmp.Or(req.Name, o.Name)
		return o
	})
}

// UserRenameRequest is the request of [Service.RenameUser].
type UserRenameRequest struct {
	ID int64
	// FullName and Email replace those of the [User]. An empty one stays as it is; one of them is set.
	// FullName has at most [MaxName] bytes.
	FullName string
	Email    string
}

// Validate returns an [*asset.InputError] that names every invalid field.
func (r UserRenameRequest) Validate() error {
	var issues asset.Issues
	issues.Check(r.FullName != "" || r.Email != "", "", "a full name or an e-mail address is required")
	issues.CheckID("id", r.ID)
	return asset.JoinInput(issues.Err(), UserRequest{FullName: cmp.Or(r.FullName, "unchanged"), Email: r.Email}.Validate())
}

// RenameUser changes the full name or the e-mail address of a user and returns the user. It returns an
// [*asset.InputError] for invalid input, or [ErrUserNotFound].
func (s *Service) RenameUser(ctx context.Context, req UserRenameRequest) (User, error) {
	if err := req.Validate(); err != nil {
		return User{}, err
	}
	return s.updateUser(ctx, req.ID, audit.ActionChanged, func(u User) User {
		u.FullName, u.Email = cmp.Or(req.FullName, u.FullName), cmp.Or(req.Email, u.Email)
		return u
	})
}

// GroupRenameRequest is the request of [Service.RenameGroup].
type GroupRenameRequest struct {
	ID             int64
	OrganizationID int64
	// Name must not be blank. It has at most [MaxName] bytes.
	Name string
}

// Validate returns an [*asset.InputError] that names every invalid field.
func (r GroupRenameRequest) Validate() error {
	var issues asset.Issues
	issues.CheckID("id", r.ID)
	return asset.JoinInput(issues.Err(), GroupRequest{r.OrganizationID, r.Name}.Validate())
}

// RenameGroup changes the name of a group and returns it. It returns an [*asset.InputError] for invalid
// input, or [ErrGroupNotFound] if the organization does not have the group.
func (s *Service) RenameGroup(ctx context.Context, req GroupRenameRequest) (Group, error) {
	if err := req.Validate(); err != nil {
		return Group{}, err
	}
	group := Group(req)
	return group, s.store.RenameGroup(ctx, group, s.groupEntry(ctx, audit.ActionChanged, group.OrganizationID, group.ID))
}

// updateOrganization changes an organization. If nothing changes, there is no entry.
func (s *Service) updateOrganization(ctx context.Context, id int64, action audit.Action, change func(Organization) Organization) (Organization, error) {
	entry := s.entry(ctx, audit.KindOrganization, action, id)
	return s.store.UpdateOrganization(ctx, id, func(old Organization) (Organization, audit.Entry) {
		changed := change(old)
		return changed, updated(entry, old, changed)
	})
}

// updateUser changes a user. If nothing changes, there is no entry.
func (s *Service) updateUser(ctx context.Context, id int64, action audit.Action, change func(User) User) (User, error) {
	entry := s.entry(ctx, audit.KindUser, action, id)
	return s.store.UpdateUser(ctx, id, func(old User) (User, audit.Entry) {
		changed := change(old)
		return changed, updated(entry, old, changed)
	})
}

// updated returns the entry of an update, which is zero if the record stays the same.
func updated[Record comparable](entry audit.Entry, old, changed Record) audit.Entry {
	if old == changed {
		return audit.Entry{}
	}
	return entry
}
