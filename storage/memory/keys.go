package memory

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
)

// PutKey implements [account.Store].
func (s *Store) PutKey(ctx context.Context, key account.Key) error {
	if err := s.beginWrite(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()

	_, organization := s.tables.organizations[key.OrganizationID]
	_, user := s.tables.users[key.UserID]
	if key.OrganizationID != 0 && !organization || key.UserID != 0 && !user {
		return account.ErrNotFound
	}
	stored, err := key.Over(s.tables.keys[key.Hash])
	if err != nil {
		return err
	}
	s.tables.putKey(stored)
	return nil
}

func (t *tables) putKey(key account.Key) {
	key.Scopes = slices.Clone(key.Scopes)
	key.CreatedAt = asset.TruncateTime(key.CreatedAt)
	key.ExpiresAt = asset.TruncateTime(key.ExpiresAt)
	key.RevokedAt = asset.TruncateTime(key.RevokedAt)
	key.LastUsedAt = asset.TruncateTime(key.LastUsedAt)
	t.keys[key.Hash] = key
}

// key returns the key with that hash, as a caller may have it.
func (t *tables) key(hash [32]byte) (account.Key, error) {
	key, known := t.keys[hash]
	if !known {
		return account.Key{}, account.ErrUnknownKey
	}
	key.Scopes = slices.Clone(key.Scopes)
	return key, nil
}

// Keys implements [account.Store].
func (s *Store) Keys(ctx context.Context, organizationID int64) ([]account.Key, error) {
	if err := s.beginRead(ctx); err != nil {
		return nil, err
	}
	defer s.mu.RUnlock()

	var keys []account.Key
	for _, key := range s.tables.keys {
		if key.OrganizationID == organizationID {
			key.Scopes = slices.Clone(key.Scopes)
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b account.Key) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), bytes.Compare(a.Hash[:], b.Hash[:]))
	})
	return keys, nil
}

// GrantByKey implements [account.Store].
func (s *Store) GrantByKey(ctx context.Context, hash [32]byte) (account.Grant, error) {
	if err := s.beginRead(ctx); err != nil {
		return account.Grant{}, err
	}
	defer s.mu.RUnlock()

	key, err := s.tables.key(hash)
	if err != nil {
		return account.Grant{}, err
	}
	return account.Grant{
		Key:              key,
		OrganizationSlug: s.tables.organizations[key.OrganizationID].Slug,
		Email:            s.tables.users[key.UserID].Email,
	}, nil
}

// RevokeKey implements [account.Store].
func (s *Store) RevokeKey(ctx context.Context, hash [32]byte, at time.Time) (account.Key, error) {
	if err := s.beginWrite(ctx); err != nil {
		return account.Key{}, err
	}
	defer s.mu.Unlock()

	key, err := s.tables.key(hash)
	if err != nil {
		return account.Key{}, err
	}
	if key.RevokedAt.IsZero() {
		key.RevokedAt = asset.TruncateTime(at)
		s.tables.putKey(key)
	}
	return key, nil
}

// ExpireKey implements [account.Store].
func (s *Store) ExpireKey(ctx context.Context, hash [32]byte, at time.Time) (account.Key, error) {
	if err := s.beginWrite(ctx); err != nil {
		return account.Key{}, err
	}
	defer s.mu.Unlock()

	key, err := s.tables.key(hash)
	if err != nil {
		return account.Key{}, err
	}
	if !key.RevokedAt.IsZero() {
		return account.Key{}, account.ErrRevokedKey
	}
	key.ExpiresAt = asset.TruncateTime(at)
	s.tables.putKey(key)
	return key, nil
}

// RotateKey implements [account.Store].
func (s *Store) RotateKey(ctx context.Context, rotation account.Rotation) error {
	if err := s.beginWrite(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()

	old, err := s.tables.key(rotation.Hash)
	if err != nil {
		return err
	}
	ended, fresh, err := rotation.Of(old)
	if err != nil {
		return err
	}
	s.tables.putKey(ended)
	s.tables.putKey(fresh)
	return nil
}

// TouchKey implements [account.Store].
func (s *Store) TouchKey(ctx context.Context, use account.Use) error {
	if err := s.beginWrite(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()

	if key, known := s.tables.keys[use.Hash]; known && use.Applies(key) {
		key.LastUsedAt = use.At
		s.tables.putKey(key)
	}
	return nil
}
