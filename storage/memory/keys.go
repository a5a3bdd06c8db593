package memory

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/step"
)

// PutKey implements [account.KeyStore].
func (s *Store) PutKey(ctx context.Context, key account.Key, entry audit.Entry) error {
	return s.do(ctx, func(t *tables) error {
		if _, known := t.organizations[key.OrganizationID]; !known && key.OrganizationID != 0 {
			return account.ErrOrganizationNotFound
		}
		if _, known := t.users[key.UserID]; !known && key.UserID != 0 {
			return account.ErrUserNotFound
		}
		old := t.keys[key.Hash]
		merged, err := key.Merge(old)
		if err != nil {
			return err
		}
		t.putKey(merged)
		t.record(t.keys[key.Hash].Stored(entry, old))
		return nil
	})
}

func (t *tables) putKey(key account.Key) {
	key.Scopes = slices.Clone(key.Scopes)
	key.CreatedAt = step.TruncateTime(key.CreatedAt)
	key.ExpiresAt = step.TruncateTime(key.ExpiresAt)
	key.RevokedAt = step.TruncateTime(key.RevokedAt)
	key.LastUsedAt = step.TruncateTime(key.LastUsedAt)
	t.keys[key.Hash] = key
}

// key returns a copy of the key with the hash, or ErrUnknownKey.
func (t *tables) key(hash [32]byte) (account.Key, error) {
	key, known := t.keys[hash]
	if !known {
		return account.Key{}, account.ErrUnknownKey
	}
	key.Scopes = slices.Clone(key.Scopes)
	return key, nil
}

// Keys implements [account.KeyStore].
func (s *Store) Keys(ctx context.Context, organizationID int64) ([]account.Key, error) {
	return read(ctx, s, func(t *tables) ([]account.Key, error) {
		return t.keysWith(func(key account.Key) bool { return key.OrganizationID == organizationID }, compareKeys), nil
	})
}

// KeyPage implements [account.KeyStore].
func (s *Store) KeyPage(ctx context.Context, organizationID int64, after account.KeyCursor, limit int) (step.Page[account.Key], error) {
	return read(ctx, s, func(t *tables) (step.Page[account.Key], error) {
		keys := t.keysWith(func(key account.Key) bool {
			return (organizationID == 0 || key.OrganizationID == organizationID) && after.Precedes(key)
		}, compareKeys)
		return page(keys, limit, func(key account.Key) account.Key { return key })
	})
}

// KeysByFingerprint implements [account.KeyStore].
func (s *Store) KeysByFingerprint(ctx context.Context, prefix [6]byte) ([]account.Key, error) {
	return read(ctx, s, func(t *tables) ([]account.Key, error) {
		return t.keysWith(func(key account.Key) bool { return bytes.HasPrefix(key.Hash[:], prefix[:]) }, compareHashes), nil
	})
}

// keysWith returns copies of the keys that match, in the order of the function.
func (t *tables) keysWith(match func(account.Key) bool, order func(a, b account.Key) int) []account.Key {
	var keys []account.Key
	for _, key := range t.keys {
		if match(key) {
			key.Scopes = slices.Clone(key.Scopes)
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, order)
	return keys
}

func compareHashes(a, b account.Key) int { return bytes.Compare(a.Hash[:], b.Hash[:]) }

// compareKeys compares keys as they are listed.
func compareKeys(a, b account.Key) int {
	return cmp.Or(cmp.Compare(a.OrganizationID, b.OrganizationID), a.CreatedAt.Compare(b.CreatedAt), compareHashes(a, b))
}

// KeyByHash implements [account.KeyStore].
func (s *Store) KeyByHash(ctx context.Context, hash [32]byte) (account.KeyRecord, error) {
	return read(ctx, s, func(t *tables) (account.KeyRecord, error) {
		key, err := t.key(hash)
		if err != nil {
			return account.KeyRecord{}, err
		}
		organization, ok := t.organizations[key.OrganizationID]
		if !ok && key.OrganizationID != 0 {
			return account.KeyRecord{}, account.ErrUnknownKey
		}
		user, ok := t.users[key.UserID]
		if !ok && key.UserID != 0 {
			return account.KeyRecord{}, account.ErrUnknownKey
		}
		return account.KeyRecord{
			Key: key, OrganizationSlug: organization.Slug, Email: user.Email, Deactivated: organization.Deactivated || user.Deactivated,
		}, nil
	})
}

// UpdateKey implements [account.KeyStore].
func (s *Store) UpdateKey(ctx context.Context, hash [32]byte, update func(old account.Key) (account.KeyUpdate, error)) (account.Key, error) {
	return write(ctx, s, func(t *tables) (account.Key, error) {
		old, err := t.key(hash)
		if err != nil {
			return account.Key{}, err
		}
		updated, err := update(old)
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return account.Key{}, err
		}
		t.record(updated.Entry)
		t.putKey(updated.Key)
		if updated.Successor != nil {
			t.putKey(*updated.Successor)
		}
		return t.key(hash)
	})
}

// UpdateUserKeys implements [account.KeyStore].
func (s *Store) UpdateUserKeys(ctx context.Context, userID int64, update func(old account.Key) account.KeyUpdate) ([]account.Key, error) {
	return write(ctx, s, func(t *tables) ([]account.Key, error) {
		if _, known := t.users[userID]; !known {
			return nil, account.ErrUserNotFound
		}
		var updates []account.KeyUpdate
		for _, key := range t.keysWith(func(key account.Key) bool { return key.UserID == userID }, compareHashes) {
			if updated := update(key); !updated.Entry.IsZero() {
				updates = append(updates, updated)
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var changed []account.Key
		for _, updated := range updates {
			t.record(updated.Entry)
			t.putKey(updated.Key)
			key, _ := t.key(updated.Key.Hash)
			changed = append(changed, key)
		}
		return changed, nil
	})
}

// RecordKeyUse implements [account.KeyStore].
func (s *Store) RecordKeyUse(ctx context.Context, use account.KeyUse) error {
	return s.do(ctx, func(t *tables) error {
		if key, known := t.keys[use.Hash]; known && use.Applies(key) {
			key.LastUsedAt = use.At
			t.putKey(key)
		}
		return nil
	})
}
