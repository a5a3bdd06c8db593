package account

import (
	"slices"
	"time"
)

// Rotation is what [Store.RotateKey] carries out.
type Rotation struct {
	// Hash is that of the old key, and NewHash that of the key in its place, which
	// no key has yet.
	Hash    [32]byte
	NewHash [32]byte
	// At is the moment of the rotation.
	At time.Time
	// Grace is how long the old key goes on, in whole milliseconds. Less than one
	// revokes it.
	Grace time.Duration
}

// Of returns what becomes of the old key, and the new key. The error is that of
// [Key.Usable] at the moment of the rotation. Every store answers as this function
// does.
func (r Rotation) Of(old Key) (ended, fresh Key, err error) {
	at := clamped(r.At)
	if err := old.Usable(at); err != nil {
		return Key{}, Key{}, err
	}
	fresh = Key{
		Hash:           r.NewHash,
		OrganizationID: old.OrganizationID,
		UserID:         old.UserID,
		Name:           old.Name,
		Scopes:         slices.Clone(old.Scopes),
		CreatedAt:      at,
		ExpiresAt:      expiryOfNext(old, at),
	}
	ended = old
	if r.Grace < time.Millisecond {
		ended.RevokedAt = at // an expiry would leave it to the clock of each server
	} else {
		ended.ExpiresAt = sooner(clamped(at.Add(r.Grace)), old.ExpiresAt)
	}
	return ended, fresh, nil
}

// expiryOfNext returns when a key expires that takes the place of the old one and
// lives as long as that was made to live. It is never before the old one's own
// expiry, which also stands in where nobody knows when the old one was created.
func expiryOfNext(old Key, at time.Time) time.Time {
	if old.ExpiresAt.IsZero() {
		return time.Time{}
	}
	if old.CreatedAt.IsZero() {
		return old.ExpiresAt
	}
	// In milliseconds, as a time.Duration ends after 292 years.
	lifetime := old.ExpiresAt.UnixMilli() - old.CreatedAt.UnixMilli()
	return later(clamped(time.UnixMilli(at.UnixMilli()+lifetime)), old.ExpiresAt)
}
