package account

import "time"

// Fingerprint names the key for logs and lists; see [Fingerprint].
func (k Key) Fingerprint() string {
	return Fingerprint(k.Hash)
}

// Active reports whether the key gives access at that moment: it is neither
// revoked nor expired.
func (k Key) Active(now time.Time) bool {
	return k.Usable(now) == nil
}

// Usable returns nil when the key gives access at that moment, else
// [ErrRevokedKey] or [ErrExpiredKey]. A key has expired from the very moment
// ExpiresAt on. One that is both revoked and expired is ErrRevokedKey.
func (k Key) Usable(now time.Time) error {
	switch {
	case !k.RevokedAt.IsZero():
		return ErrRevokedKey
	case !k.ExpiresAt.IsZero() && !now.Before(k.ExpiresAt):
		return ErrExpiredKey
	}
	return nil
}

// Over returns what is stored when the key is put over the old one with its Hash, or
// over the zero Key when there is none. Of the two expiries the sooner one stays, so
// that no put gives a key a longer life. LastUsedAt is the old one's, and so is
// CreatedAt when it is known. The error is [ErrRevokedKey] when the old one was
// revoked. Every store answers as this function does.
func (k Key) Over(old Key) (Key, error) {
	if !old.RevokedAt.IsZero() {
		return Key{}, ErrRevokedKey
	}
	if !old.CreatedAt.IsZero() {
		k.CreatedAt = old.CreatedAt
	}
	k.ExpiresAt = sooner(k.ExpiresAt, old.ExpiresAt)
	k.RevokedAt, k.LastUsedAt = time.Time{}, old.LastUsedAt
	return k, nil
}

// Use is what [Store.TouchKey] records.
type Use struct {
	// Hash is that of the key.
	Hash [32]byte
	// At is the moment of the use.
	At time.Time
	// LastBefore is the moment before which the last use must have been, so that
	// not every one is written. It may be any moment.
	LastBefore time.Time
}

// Applies reports whether At becomes the LastUsedAt of the key. It does not of a
// key that was revoked, and LastUsedAt never goes back. Every store answers as
// this function does.
func (u Use) Applies(key Key) bool {
	return key.RevokedAt.IsZero() && key.LastUsedAt.Before(u.LastBefore) && key.LastUsedAt.Before(moment(u.At))
}
