package account

import "context"

// RemoveUser removes a user and the API keys that act for the user, or returns
// [ErrUserNotFound]. What the user did stays, with the ID instead of the name: reports,
// reviews, notes, and changes of status. Other processes may cache a key for
// [KeyCacheTTL].
func (s *Service) RemoveUser(ctx context.Context, id int64) error {
	return s.store.RemoveUser(ctx, id)
}

// RemoveGroup removes a group of an organization, or returns [ErrGroupNotFound]. The assets
// of the group stay on the allowlist, without a group.
func (s *Service) RemoveGroup(ctx context.Context, organizationID, id int64) error {
	return s.store.RemoveGroup(ctx, organizationID, id)
}

// RemoveOrganization removes an organization with its groups and API keys, or returns
// [ErrOrganizationNotFound]. What the organization did stays: its reports, its allowlist,
// without groups, and the statuses that follow from them. To undo the effect of the allowlist,
// remove its entries first. Other processes may cache a key for [KeyCacheTTL].
func (s *Service) RemoveOrganization(ctx context.Context, id int64) error {
	return s.store.RemoveOrganization(ctx, id)
}
