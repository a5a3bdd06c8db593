package account

import (
	"context"
	"errors"
	"sync"
	"time"
)

// LastUsedStep is how old a [Key]'s LastUsedAt must be for a use of the key to be
// written.
const LastUsedStep = time.Minute

// useTimeout is how long a caller waits until the store writes a use.
const useTimeout = time.Second

// Authenticate returns whom the key speaks for. The error is a [*KeyError] when the
// key gives access to nothing: it matches [ErrUnknownKey], [ErrRevokedKey] or
// [ErrExpiredKey]. Whether a key has expired is for the service's clock to say.
//
// The use of a key that gives access becomes its LastUsedAt when that is more than
// [LastUsedStep] old, unless [Options].IgnoreUse is set. It is written before
// Authenticate returns. Of all calls at the same time one writes, whatever their
// keys; the others go on without, and the next call with such a key is due again.
// Stores write once for several services.
//
// The call that writes waits for its turn in the store, one second at most, and for
// the end of a commit that has begun. When the use cannot be written the call
// succeeds without, and unless that was because ctx was canceled, the service tries
// none again for LastUsedStep by its clock, or until that is set back.
func (s *Service) Authenticate(ctx context.Context, key string) (Principal, error) {
	if !ValidKey(key) {
		return Principal{}, &KeyError{Err: ErrUnknownKey}
	}
	hash := HashKey(key)
	grant, err := s.store.GrantByKey(ctx, hash)
	if err != nil {
		return Principal{}, keyError(hash, err)
	}
	now := s.now()
	if err := grant.Key.Usable(now); err != nil {
		return Principal{}, keyError(hash, err)
	}
	s.recordUse(ctx, grant.Key, now)
	return grant.Principal(), nil
}

// recordUse writes that the key was used, if that is due and nobody else is at it.
func (s *Service) recordUse(ctx context.Context, key Key, now time.Time) {
	use := Use{Hash: key.Hash, At: now, LastBefore: now.Add(-LastUsedStep)}
	if s.ignoreUse || !use.Applies(key) || !s.uses.writing.TryLock() {
		return
	}
	defer s.uses.writing.Unlock()
	if s.uses.paused(now) {
		return
	}
	bounded, cancel := context.WithTimeout(ctx, useTimeout)
	defer cancel()
	err := s.store.TouchKey(bounded, use) // the caller has access all the same
	switch {
	case err == nil:
		s.uses.failed = time.Time{}
	case !errors.Is(ctx.Err(), context.Canceled):
		s.uses.failed = now
	}
}

// uses bounds what the writing of uses may take: a store that is stuck has one
// connection of it, and one caller in a [LastUsedStep]. The zero value is ready.
type uses struct {
	// writing is held by the one caller that writes.
	writing sync.Mutex
	// failed is the moment of the last use if that could not be written, else the
	// zero time, which is long ago. Who holds writing may read and set it.
	failed time.Time
}

// paused reports whether it is too early after a failure to try again. A clock that
// was set back does not make that longer.
func (u *uses) paused(now time.Time) bool {
	since := now.Sub(u.failed)
	return 0 <= since && since < LastUsedStep
}
