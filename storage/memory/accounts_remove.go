package memory

import (
	"context"
	"maps"

	"github.com/apguard/apguard/account"
)

// RemoveUser implements [account.Store].
func (s *Store) RemoveUser(ctx context.Context, id int64) error {
	return s.do(ctx, func(t *tables) error {
		if _, known := t.users[id]; !known {
			return account.ErrUserNotFound
		}
		delete(t.users, id)
		t.removeKeys(func(key account.Key) bool { return key.UserID == id })
		return nil
	})
}

// RemoveGroup implements [account.Store].
func (s *Store) RemoveGroup(ctx context.Context, organizationID, id int64) error {
	return s.do(ctx, func(t *tables) error {
		if !t.ownsGroup(organizationID, id) {
			return account.ErrGroupNotFound
		}
		delete(t.groups, id)
		return nil
	})
}

// RemoveOrganization implements [account.Store].
func (s *Store) RemoveOrganization(ctx context.Context, id int64) error {
	return s.do(ctx, func(t *tables) error {
		organization, known := t.organizations[id]
		if !known {
			return account.ErrOrganizationNotFound
		}
		delete(t.organizations, id)
		delete(t.slugs, organization.Slug)
		maps.DeleteFunc(t.groups, func(_ int64, group account.Group) bool { return group.OrganizationID == id })
		t.removeKeys(func(key account.Key) bool { return key.OrganizationID == id })
		return nil
	})
}

// removeKeys removes the keys that match.
func (t *tables) removeKeys(match func(account.Key) bool) {
	maps.DeleteFunc(t.keys, func(_ [32]byte, key account.Key) bool { return match(key) })
}
