package account

import (
	"context"
	"sync"
	"time"
)

// LastUsedStep is how old a [Key]'s LastUsedAt must be for a use of the key to be
// written.
const LastUsedStep = time.Minute

// useTimeout is how long a caller may be kept by the writing of a use.
const useTimeout = time.Second

// Authenticate returns whom the key speaks for. The error is a [*KeyError] when the
// key gives access to nothing: it matches [ErrUnknownKey], [ErrRevokedKey] or
// [ErrExpiredKey]. Whether a key has expired is for the service's clock to say.
//
// The use of a key that gives access becomes its LastUsedAt when that is more than
// [LastUsedStep] old. It is written before Authenticate returns. Of several calls
// with the same key at the same time one writes, and the others do not wait for
// it; stores write once for several services. When it cannot be written, or not
// within one second, the call succeeds without. On the store of a transaction of the
// host's, the use is a part of that transaction.
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
	if !use.Applies(key) || !s.uses.begin(key.Hash) {
		return
	}
	defer s.uses.end(key.Hash)
	ctx, cancel := context.WithTimeout(ctx, useTimeout)
	defer cancel()
	_ = s.store.TouchKey(ctx, use) // the caller has access all the same, and the next use is due too
}

// uses are the keys whose use is being written. The zero value is ready.
type uses struct {
	mu      sync.Mutex
	writing map[[32]byte]bool
}

// begin reports whether nobody is at the key; the caller is then, until end.
func (u *uses) begin(hash [32]byte) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.writing[hash] {
		return false
	}
	if u.writing == nil {
		u.writing = make(map[[32]byte]bool)
	}
	u.writing[hash] = true
	return true
}

func (u *uses) end(hash [32]byte) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.writing, hash)
}
