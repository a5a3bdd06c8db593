package memory

import (
	"context"
	"maps"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/audit"
)

// RemoveUser implements [account.Store].
func (s *Store) RemoveUser(ctx context.Context, id int64, entry audit.Entry) error {
	return s.do(ctx, func(t *tables) error {
		if _, known := t.users[id]; !known {
			return account.ErrUserNotFound
		}
		delete(t.users, id)
		t.record(entry)
		t.removeKeys(entry, func(key account.Key) bool { return key.UserID == id })
		return nil
	})
}

// RemoveGroup implements [account.Store].
func (s *Store) RemoveGroup(ctx context.Context, organizationID, id int64, entry audit.Entry) error {
	return s.do(ctx, func(t *tables) error {
		if !t.ownsGroup(organizationID, id) {
			return account.ErrGroupNotFound
		}
		delete(t.groups, id)
		t.record(entry)
		return nil
	})
}

// RemoveOrganization implements [account.Store].
func (s *Store) RemoveOrganization(ctx context.Context, id int64, entry audit.Entry) error {
	return s.do(ctx, func(t *tables) error {
		organization, known := t.organizations[id]
		if !known {
			return account.ErrOrganizationNotFound
		}
		delete(t.organizations, id)
		delete(t.slugs, organization.Slug)
		maps.DeleteFunc(t.groups, func(_ int64, group account.Group) bool { return group.OrganizationID == id })
		t.record(entry)
		t.removeKeys(entry, func(key account.Key) bool { return key.OrganizationID == id })
		return nil
	})
}

// removeKeys removes the keys that match. The entry is that of their owner.
func (t *tables) removeKeys(entry audit.Entry, match func(account.Key) bool) {
	for _, key := range t.keysWith(match, compareHashes) {
		delete(t.keys, key.Hash)
		t.record(key.Removed(entry))
	}
}
