package account

import (
	"context"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
)

// Group is a part of one organization's allowlist.
type Group struct {
	// ID is unique across all organizations.
	ID             int64 `json:"id"`
	OrganizationID int64 `json:"organizationId"`
	// Name is for display. It may be empty.
	Name string `json:"name"`
}

// Validate returns an [*asset.InputError] that names every invalid field. An ID of 0
// is valid: the store then assigns one.
func (g Group) Validate() error {
	var issues asset.Issues
	issues.CheckOptionalID("id", g.ID)
	issues.CheckID("organizationId", g.OrganizationID)
	issues.CheckText("name", g.Name)
	return issues.Err()
}

// PutGroup stores a group and returns it as stored. It replaces the group with the
// same ID, if any. A group with ID 0 is new and gets an ID. The organization need not
// be in the store. PutGroup returns an [*asset.InputError] for invalid input, or
// [ErrGroupTaken] when the group with that ID belongs to another organization.
func (s *Service) PutGroup(ctx context.Context, group Group) (Group, error) {
	if err := group.Validate(); err != nil {
		return Group{}, err
	}
	return s.store.PutGroup(ctx, group, s.groupEntry(ctx, audit.ActionCreated, group.OrganizationID, group.ID))
}

// groupEntry returns the entry of an act on a group.
func (s *Service) groupEntry(ctx context.Context, action audit.Action, organizationID, id int64) audit.Entry {
	entry := s.entry(ctx, audit.KindGroup, action, id)
	entry.OrganizationID = organizationID
	return entry
}

// Groups returns the groups of an organization, ordered by ID.
func (s *Service) Groups(ctx context.Context, organizationID int64) ([]Group, error) {
	return s.store.Groups(ctx, organizationID)
}
