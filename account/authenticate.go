package account

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/apguard/apguard/step"
)

// LastUsedInterval limits how often LastUsedAt of a [Key] is written. A use of the key is
// recorded only if LastUsedAt is older than this.
const LastUsedInterval = time.Minute

// recordTimeout is how long a caller waits until the store records a use.
const recordTimeout = time.Second

// Authenticate returns the principal that the key acts for. It takes the secret text, not
// the hash. It returns a [*KeyError] that matches [ErrUnknownKey], [ErrRevokedKey],
// [ErrExpiredKey] or [ErrDeactivated] when the key grants no access. The clock of the service decides whether
// it has expired.
//
// Authenticate caches what it reads of up to 4,096 known keys for [KeyCacheTTL], as a [KeyRecord]. A change of a key through this
// KeyService, or through one that [KeyService.With] returned, takes effect at once for every call
// that begins after the method returned or the transaction was committed. Any other
// change, such as one by another process, another KeyService or [Service], takes effect
// after KeyCacheTTL at the latest. A new key grants access at once.
//
// Authenticate updates LastUsedAt if it is older than [LastUsedInterval]. While one call
// writes, all other calls skip their update, even if they have another key. Authenticate
// waits at most one second for the write. If the commit has begun by then, it waits until
// the commit ends.
//
// Authenticate succeeds even if the write fails. After a failed write, the service pauses
// these writes for LastUsedInterval. Setting the clock back ends the pause. A write that
// failed because ctx was canceled causes no pause, unless the cause of the cancellation is
// [context.DeadlineExceeded].
func (s *KeyService) Authenticate(ctx context.Context, key string) (Principal, error) {
	if !ValidKey(key) {
		return Principal{}, &KeyError{Err: ErrUnknownKey}
	}
	return s.AuthenticateHash(ctx, HashKey(key))
}

// AuthenticateHash is [KeyService.Authenticate] for a caller who has shown the key before, such as that of a
// session. It takes the hash that was kept then. It must not be called with a hash of a request: stores have
// hashes, and they are not secrets.
func (s *KeyService) AuthenticateHash(ctx context.Context, hash [32]byte) (Principal, error) {
	record, err := s.record(ctx, hash)
	if err != nil {
		return Principal{}, keyError(hash, err)
	}
	now := s.Now()
	if err := record.Usable(now); err != nil {
		return Principal{}, keyError(hash, err)
	}
	s.recordUse(ctx, record.Key, now)
	principal := record.Principal()
	principal.Scopes = slices.Clone(principal.Scopes) // the record may be cached
	return principal, nil
}

// KeyUse is a use of a key, which [KeyStore.RecordKeyUse] records.
type KeyUse struct {
	// Hash is the hash of the key.
	Hash [32]byte
	// At is the time of the use.
	At time.Time
	// LastBefore limits how often uses are recorded: a use is recorded only if LastUsedAt
	// is before this time. LastBefore may be any time, even later than At.
	LastBefore time.Time
}

// Applies reports whether At replaces the LastUsedAt of the key. The key must not be
// revoked, and its LastUsedAt must be before both LastBefore and At. Stores call Applies
// or evaluate the same condition.
func (u KeyUse) Applies(key Key) bool {
	return key.RevokedAt.IsZero() && key.LastUsedAt.Before(u.LastBefore) && key.LastUsedAt.Before(step.TruncateTime(u.At))
}

// recordUse records a use of the key, if that is due and no other call is recording.
func (s *KeyService) recordUse(ctx context.Context, key Key, now time.Time) {
	use := KeyUse{Hash: key.Hash, At: now, LastBefore: now.Add(-LastUsedInterval)}
	if s.transaction || !use.Applies(key) || !s.uses.recording.TryLock() {
		return
	}
	defer s.uses.recording.Unlock()
	if s.uses.paused(now) {
		return
	}
	bounded, cancel := context.WithTimeout(ctx, recordTimeout)
	defer cancel()
	err := s.store.RecordKeyUse(bounded, use) // the caller has access even if it fails
	switch {
	case err == nil:
		s.uses.failedAt = time.Time{}
		s.cache.used(key.Hash, now)
	case !errors.Is(ctx.Err(), context.Canceled), errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		s.uses.failedAt = now
	}
}

// keyUses limits the harm of a store that hangs: recording blocks at most one connection
// and one caller in each [LastUsedInterval]. The zero value is ready to use.
type keyUses struct {
	// recording is held by the one call that writes.
	recording sync.Mutex
	// failedAt is the time of the last write if it failed, else the zero time. The
	// mutex guards it.
	failedAt time.Time
}

// paused reports whether it is too early to write again after a failure. Setting the
// clock back ends the pause.
func (u *keyUses) paused(now time.Time) bool {
	since := now.Sub(u.failedAt)
	return 0 <= since && since < LastUsedInterval
}

// Principal is the caller of a request. The zero value has no identity and no scopes.
type Principal struct {
	// OrganizationID and OrganizationSlug are 0 and empty for a caller without an
	// organization.
	OrganizationID   int64  `json:"organizationId,omitzero"`
	OrganizationSlug string `json:"organizationSlug,omitzero"`
	// UserID and Email are 0 and empty for a caller without a user. A user may have no
	// e-mail address.
	UserID int64   `json:"userId,omitzero"`
	Email  string  `json:"email,omitzero"`
	Scopes []Scope `json:"scopes,omitzero"`
	// Fingerprint identifies the caller's key; see [Fingerprint]. It is empty for a
	// caller without a key.
	Fingerprint string `json:"fingerprint,omitzero"`
}

// HasOrganization reports whether the principal has an organization.
func (p Principal) HasOrganization() bool {
	return p.OrganizationID != 0
}

// HasUser reports whether the principal has a user.
func (p Principal) HasUser() bool {
	return p.UserID != 0
}

// SpeaksFor reports whether slug is the slug of the principal's organization.
func (p Principal) SpeaksFor(slug string) bool {
	return p.HasOrganization() && p.OrganizationSlug == slug
}
