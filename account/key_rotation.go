package account

import (
	"context"
	"slices"
	"time"

	"github.com/apguard/apguard/audit"
)

// Rotate replaces a key with a new one in one atomic step. It returns the secret text of
// the new key, which cannot be read again. The new key has the organization, user, name
// and scopes of the old one.
//
// The new key has the same lifetime as the old one, which is the time from CreatedAt to
// ExpiresAt. It never expires before the old key would have expired without the rotation.
// If the old key never expires, neither does the new one. If CreatedAt of the old key is
// unknown, the new key has the ExpiresAt that the old key had.
//
// The old key expires at the end of the grace period, or at its ExpiresAt if that is
// earlier. Until then it can be rotated again. The key from the second rotation expires
// even if the first new key does not, because the old key now has an ExpiresAt. With a
// grace period of less than a millisecond, the old key is revoked. Revocation does not
// depend on clocks, and only one of several such rotations succeeds.
//
// Rotate returns an [*asset.InputError] for a negative grace period, or a [*KeyError]
// that matches [ErrUnknownKey], [ErrRevokedKey] or [ErrExpiredKey]. After an error of the
// store, the key may have been rotated; [KeyService.List] shows whether it was.
func (s *KeyService) Rotate(ctx context.Context, hash [32]byte, grace time.Duration) (secret string, err error) {
	made, err := s.rotate(ctx, hash, grace, func(Key) error { return nil })
	return made.Secret, err
}

// rotate is Rotate if the function allows it, which is called in the step. It returns the successor.
func (s *KeyService) rotate(ctx context.Context, hash [32]byte, grace time.Duration, allow func(Key) error) (IssuedKey, error) {
	if grace < 0 {
		return IssuedKey{}, invalidField("grace", "must not be negative")
	}
	made := IssuedKey{Secret: GenerateKey()}
	at := s.Now()
	rotation := rotation{NewHash: HashKey(made.Secret), At: at, Grace: grace, Entry: audit.New(ctx, at, audit.KindKey, audit.ActionRotated)}
	_, err := s.update(ctx, hash, func(old Key) (KeyUpdate, error) {
		if err := allow(old); err != nil {
			return KeyUpdate{}, err
		}
		update, err := rotation.Apply(old)
		if err == nil {
			made.Key = *update.Successor
		}
		return update, err
	})
	if err != nil {
		return IssuedKey{}, err
	}
	return made, nil
}

// rotation replaces a key at a time that can be stored.
type rotation struct {
	NewHash [32]byte
	At      time.Time
	Grace   time.Duration
	Entry   audit.Entry
}

// Apply returns the old key with its new end, and its successor. It returns the error of
// [Key.Usable] when the old key grants no access.
func (r rotation) Apply(old Key) (KeyUpdate, error) {
	if err := old.Usable(r.At); err != nil {
		return KeyUpdate{}, err
	}
	successor := Key{
		Hash:           r.NewHash,
		OrganizationID: old.OrganizationID,
		UserID:         old.UserID,
		Name:           old.Name,
		Scopes:         slices.Clone(old.Scopes),
		CreatedAt:      r.At,
		ExpiresAt:      successorExpiry(old, r.At),
	}
	if r.Grace < time.Millisecond {
		old = revoked(old, r.At) // an expiry would depend on the clock of each server
	} else {
		old.ExpiresAt = earlierExpiry(clampTime(r.At.Add(r.Grace)), old.ExpiresAt)
	}
	entry := old.describe(r.Entry)
	entry.Detail = successor.Fingerprint()
	return KeyUpdate{Key: old, Successor: &successor, Entry: entry}, nil
}

// successorExpiry returns the ExpiresAt of the key that replaces the old one. Its lifetime
// is that of the old key, but it never expires before the ExpiresAt of the old key.
func successorExpiry(old Key, at time.Time) time.Time {
	if old.ExpiresAt.IsZero() || old.CreatedAt.IsZero() {
		return old.ExpiresAt
	}
	// In milliseconds, because a time.Duration cannot exceed 292 years.
	lifetime := old.ExpiresAt.UnixMilli() - old.CreatedAt.UnixMilli()
	expiresAt := clampTime(time.UnixMilli(at.UnixMilli() + lifetime))
	if expiresAt.Before(old.ExpiresAt) {
		return old.ExpiresAt
	}
	return expiresAt
}
