package memory

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
)

// PutKey implements [account.KeyStore].
func (s *Store) PutKey(ctx context.Context, key account.Key) error {
	return s.do(ctx, func(t *tables) error {
		if _, known := t.organizations[key.OrganizationID]; !known && key.OrganizationID != 0 {
			return account.ErrOrganizationNotFound
		}
		if _, known := t.users[key.UserID]; !known && key.UserID != 0 {
			return account.ErrUserNotFound
		}
		merged, err := key.Merge(t.keys[key.Hash])
		if err != nil {
			return err
		}
		t.putKey(merged)
		return nil
	})
}

func (t *tables) putKey(key account.Key) {
	key.Scopes = slices.Clone(key.Scopes)
	key.CreatedAt = asset.TruncateTime(key.CreatedAt)
	key.ExpiresAt = asset.TruncateTime(key.ExpiresAt)
	key.RevokedAt = asset.TruncateTime(key.RevokedAt)
	key.LastUsedAt = asset.TruncateTime(key.LastUsedAt)
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
		var keys []account.Key
		for _, key := range t.keys {
			if key.OrganizationID == organizationID {
				key.Scopes = slices.Clone(key.Scopes)
				keys = append(keys, key)
			}
		}
		slices.SortFunc(keys, func(a, b account.Key) int {
			return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), bytes.Compare(a.Hash[:], b.Hash[:]))
		})
		return keys, nil
	})
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
		return account.KeyRecord{Key: key, OrganizationSlug: organization.Slug, Email: user.Email}, nil
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
		t.putKey(updated.Key)
		if updated.Successor != nil {
			t.putKey(*updated.Successor)
		}
		return t.key(hash)
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
