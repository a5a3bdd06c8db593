package account

import (
	"context"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/step"
)

// Usable returns nil when the key grants access at the time now. It returns
// [ErrRevokedKey] when the key is revoked, and [ErrExpiredKey] when now is ExpiresAt or
// later.
func (k Key) Usable(now time.Time) error {
	switch {
	case !k.RevokedAt.IsZero():
		return ErrRevokedKey
	case !k.ExpiresAt.IsZero() && !now.Before(k.ExpiresAt):
		return ErrExpiredKey
	}
	return nil
}

// KeyUpdate is what [KeyStore.UpdateKey] writes.
type KeyUpdate struct {
	// Key is the changed key. It has the Hash of the old one.
	Key Key
	// Successor is a new key to store in the same step, or nil. The caller guarantees that
	// no stored key has its Hash.
	Successor *Key
	// Entry is recorded in the same step. It is zero if nothing changes.
	Entry audit.Entry
}

// Revoke revokes a key. Revocation is final: the key never grants access again and cannot
// be changed. Revoking a revoked key succeeds and keeps its RevokedAt. Keys that
// [KeyService.Rotate] created from it are not affected. In other processes, the key may
// grant access for [KeyCacheTTL]; see [KeyService.Authenticate].
//
// Revoke returns the changed key, or a [*KeyError] that matches [ErrUnknownKey].
func (s *KeyService) Revoke(ctx context.Context, hash [32]byte) (Key, error) {
	revoke := s.revocation(ctx)
	return s.update(ctx, hash, func(old Key) (KeyUpdate, error) { return revoke(old), nil })
}

// RevokeAll revokes all keys of a user in one step, as [KeyService.Revoke] does for one, and returns those
// that it has revoked, ordered by Hash. A key that is created at the same time may stay; see
// [Service.DeactivateUser]. It returns [ErrUserNotFound] if the store does not have the user.
func (s *KeyService) RevokeAll(ctx context.Context, userID int64) ([]Key, error) {
	keys, err := s.store.UpdateUserKeys(ctx, userID, s.revocation(ctx))
	for _, key := range keys {
		s.cache.clear(key.Hash, !s.transaction)
	}
	return keys, err
}

// revocation returns the function that revokes a key now.
func (s *KeyService) revocation(ctx context.Context) func(Key) KeyUpdate {
	now := s.Now()
	return func(old Key) KeyUpdate {
		update := KeyUpdate{Key: revoked(old, now)}
		if old.RevokedAt.IsZero() {
			update.Entry = old.describe(audit.New(ctx, now, audit.KindKey, audit.ActionRevoked))
		}
		return update
	}
}

// revoked returns the key after its revocation. A key that is already revoked stays the
// same.
func revoked(key Key, at time.Time) Key {
	if key.RevokedAt.IsZero() {
		key.RevokedAt = at
	}
	return key
}

// SetExpiry sets the time at which a key stops granting access. The time must be in the
// years 1 to 9999 and is truncated to whole milliseconds. A time in the past takes effect
// at once, but each server compares it with its own clock; [KeyService.Revoke] does not
// depend on clocks. An expired key can get a new expiry; a revoked key cannot.
//
// SetExpiry returns the changed key. It returns an [*asset.InputError] for an invalid
// time, including the zero time, or a [*KeyError] that matches [ErrUnknownKey] or
// [ErrRevokedKey].
func (s *KeyService) SetExpiry(ctx context.Context, hash [32]byte, expiresAt time.Time) (Key, error) {
	if expiresAt.IsZero() {
		return Key{}, invalidField("expiresAt", "is required")
	}
	if !validExpiry(expiresAt) {
		return Key{}, invalidField("expiresAt", invalidExpiry)
	}
	return s.setExpiry(ctx, hash, step.TruncateTime(expiresAt))
}

// ClearExpiry removes the expiry of a key, even if it has expired. A revoked key stays
// revoked.
//
// ClearExpiry returns the changed key, or a [*KeyError] that matches [ErrUnknownKey] or
// [ErrRevokedKey].
func (s *KeyService) ClearExpiry(ctx context.Context, hash [32]byte) (Key, error) {
	return s.setExpiry(ctx, hash, time.Time{})
}

// setExpiry sets the expiry of a key. The zero time means never.
func (s *KeyService) setExpiry(ctx context.Context, hash [32]byte, expiresAt time.Time) (Key, error) {
	now := s.Now()
	return s.update(ctx, hash, func(old Key) (KeyUpdate, error) {
		if !old.RevokedAt.IsZero() {
			return KeyUpdate{}, ErrRevokedKey
		}
		if old.ExpiresAt.Equal(expiresAt) {
			return KeyUpdate{Key: old}, nil
		}
		old.ExpiresAt = expiresAt
		entry := old.describe(audit.New(ctx, now, audit.KindKey, audit.ActionExpirySet))
		if !expiresAt.IsZero() {
			entry.Detail = expiresAt.Format(time.RFC3339)
		}
		return KeyUpdate{Key: old, Entry: entry}, nil
	})
}

const invalidExpiry = "must be in the years 1 to 9999, in UTC"

// validExpiry reports whether t can be stored and is not stored as the zero time.
func validExpiry(t time.Time) bool {
	return asset.ValidTime(t) && !step.TruncateTime(t).IsZero()
}

// earlierExpiry returns the earlier of two expiries, of which the zero time is the
// latest.
func earlierExpiry(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// clampTime returns the time nearest to t that can be stored and is not the zero time,
// truncated to whole milliseconds.
func clampTime(t time.Time) time.Time {
	first := time.Time{}.Add(time.Millisecond)
	switch {
	case t.Before(first):
		return first
	case !asset.ValidTime(t):
		return time.Date(9999, time.December, 31, 23, 59, 59, 999_000_000, time.UTC)
	default:
		return step.TruncateTime(t)
	}
}
