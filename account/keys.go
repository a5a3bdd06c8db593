package account

import (
	"context"
	"errors"
	"time"
)

// KeyRequest says what a new key may do and whom it speaks for.
type KeyRequest struct {
	// OrganizationID and UserID must be in the store; 0 means none.
	OrganizationID int64
	UserID         int64
	// Name is a label for people: at most [MaxKeyName] bytes of UTF-8 without NUL.
	// It may be empty.
	Name   string
	Scopes []Scope
	// ExpiresAt is the moment from which on the key gives access to nothing, in the
	// years 1 to 9999. It is cut to whole milliseconds. The zero time means never.
	ExpiresAt time.Time
}

// CreateKey makes a key, stores its hash and returns the key. It cannot be had a
// second time. The error is [ErrInvalid] when the request is not what it must be or
// ExpiresAt is not yet to come, or [ErrNotFound] when the store has no such
// organization or user.
func (s *Service) CreateKey(ctx context.Context, req KeyRequest) (string, error) {
	secret := NewKey()
	key, err := s.newKey(secret, req)
	if err != nil {
		return "", err
	}
	if !key.Active(key.CreatedAt) {
		return "", invalid("key expiry must be yet to come")
	}
	if err := s.store.PutKey(ctx, key); err != nil {
		return "", keyError(key.Hash, err)
	}
	return secret, nil
}

// PutKey stores the hash of a key that the host brings, over what the same key was
// before, so that a host may put its keys at each start. The key may have expired.
//
// A key that was stored before keeps its CreatedAt and its LastUsedAt, and of its ExpiresAt and the
// request's the earlier one stays, never being the latest: what has expired or was
// rotated does not come back. [Service.ExpireKey] and [Service.KeepKey] give a key a
// longer life, until a put has an earlier end again.
//
// The error is [ErrInvalid] when [ValidKey] does not hold or the request is not
// what it must be, [ErrNotFound] when the store has no such organization or user,
// or a [*KeyError] that matches [ErrRevokedKey] when the key was revoked, also by a
// rotation without a grace period.
func (s *Service) PutKey(ctx context.Context, secret string, req KeyRequest) error {
	if !ValidKey(secret) {
		return invalid("key must be 1 to 256 visible ASCII characters")
	}
	key, err := s.newKey(secret, req)
	if err != nil {
		return err
	}
	return keyError(key.Hash, s.store.PutKey(ctx, key))
}

// newKey returns the key of a request as it is created now.
func (s *Service) newKey(secret string, req KeyRequest) (Key, error) {
	key := Key{
		Hash:           HashKey(secret),
		OrganizationID: req.OrganizationID,
		UserID:         req.UserID,
		Name:           req.Name,
		Scopes:         req.Scopes,
		CreatedAt:      s.now(),
		ExpiresAt:      req.ExpiresAt,
	}
	if err := key.Validate(); err != nil {
		return Key{}, err
	}
	key.ExpiresAt = moment(key.ExpiresAt)
	return key, nil
}

// Key returns what is stored of the key with that hash, also when it was revoked or
// has expired. The error is a [*KeyError] that matches [ErrUnknownKey].
func (s *Service) Key(ctx context.Context, hash [32]byte) (Key, error) {
	grant, err := s.store.GrantByKey(ctx, hash)
	return grant.Key, keyError(hash, err)
}

// Keys returns what is stored of the keys that speak for an organization, oldest
// first, and among them those that were revoked or have expired. With 0 it returns
// the keys that speak for no organization.
func (s *Service) Keys(ctx context.Context, organizationID int64) ([]Key, error) {
	return s.store.Keys(ctx, organizationID)
}

// RevokeKey revokes a key, for good: from then on it gives access to nothing, and
// nothing changes it any more. A key that was revoked before keeps its first
// RevokedAt. A key that came from it by [Service.RotateKey] is another one and
// stays.
//
// It returns the key as it is then. The error is a [*KeyError] that matches
// [ErrUnknownKey].
func (s *Service) RevokeKey(ctx context.Context, hash [32]byte) (Key, error) {
	key, err := s.store.RevokeKey(ctx, hash, s.now())
	return key, keyError(hash, err)
}

// ExpireKey sets the moment from which on the key gives access to nothing, in the
// years 1 to 9999. A moment that has passed ends the key at once, as far as the
// clocks of all servers have come to it; [Service.RevokeKey] needs no clock. A key
// that has expired can be given a new end in this way; a revoked one cannot.
//
// It returns the key as it is then. The error is [ErrInvalid] for the zero time, for
// which there is [Service.KeepKey], and for a moment outside of those years, or a
// [*KeyError] that matches [ErrUnknownKey] or [ErrRevokedKey].
func (s *Service) ExpireKey(ctx context.Context, hash [32]byte, at time.Time) (Key, error) {
	if at.IsZero() {
		return Key{}, invalid("key expiry must be set")
	}
	if err := (Key{ExpiresAt: at}).Validate(); err != nil {
		return Key{}, err
	}
	key, err := s.store.ExpireKey(ctx, hash, at)
	return key, keyError(hash, err)
}

// KeepKey takes the ExpiresAt from a key, so that it never expires, also from one
// that has expired. A revoked key stays revoked.
//
// It returns the key as it is then. The error is a [*KeyError] that matches
// [ErrUnknownKey] or [ErrRevokedKey].
func (s *Service) KeepKey(ctx context.Context, hash [32]byte) (Key, error) {
	key, err := s.store.ExpireKey(ctx, hash, time.Time{})
	return key, keyError(hash, err)
}

// RotateKey makes a key that takes the place of the one with that hash, in one
// step, and returns it. It cannot be had a second time. The new key has the owner,
// the name and the scopes of the old one, and lives as long as that was made to
// live, from CreatedAt to ExpiresAt as they are at the moment; without an ExpiresAt
// it lives for ever, and when CreatedAt is not known it gets the same ExpiresAt.
//
// The old key expires after the grace period, or earlier if it was to expire
// earlier. It can be rotated again until then, which makes a key with an end, as the
// old one has got one by the grace period. A period of 0, or of less than a
// millisecond, revokes the old key: it ends at once and for good, whatever the
// clocks of other servers tell, and of several such rotations one succeeds.
//
// The error is [ErrInvalid] for a negative grace period, or a [*KeyError] that
// matches [ErrUnknownKey], [ErrRevokedKey] or [ErrExpiredKey]: a key that gives no
// access makes none that does. After an error of the storage that leaves open
// whether the step was done, [Service.Keys] tells.
func (s *Service) RotateKey(ctx context.Context, hash [32]byte, grace time.Duration) (secret string, err error) {
	if grace < 0 {
		return "", invalid("grace period must not be negative")
	}
	secret = NewKey()
	rotation := Rotation{Hash: hash, NewHash: HashKey(secret), At: s.now(), Grace: grace}
	if err := s.store.RotateKey(ctx, rotation); err != nil {
		return "", keyError(hash, err)
	}
	return secret, nil
}

// keyError names the key in an error that is about its state.
func keyError(hash [32]byte, err error) error {
	for _, state := range []error{ErrUnknownKey, ErrRevokedKey, ErrExpiredKey} {
		if errors.Is(err, state) {
			return &KeyError{Fingerprint: Fingerprint(hash), Err: state}
		}
	}
	return err
}
