package account

import (
	"context"
	"time"
)

// KeyOptions are the options of a [KeyService]. The zero value is ready to use.
type KeyOptions struct {
	// Clock returns the time at which keys are created, used, rotated and revoked, and
	// against which expiries are checked. Nil means time.Now.
	Clock func() time.Time
	// IgnoreUse keeps [KeyService.Authenticate] from writing LastUsedAt. Set it for a store
	// inside a transaction of the host application. There, a failed write may abort the
	// transaction, and a successful one blocks other writes to the key until the
	// transaction ends.
	IgnoreUse bool
}

// KeyService manages API keys and authenticates with them. It is safe for concurrent
// use if its store is.
type KeyService struct {
	store     KeyStore
	clock     func() time.Time
	ignoreUse bool
	uses      keyUses
}

// NewKeyService returns a KeyService that uses the store.
func NewKeyService(store KeyStore, opts KeyOptions) *KeyService {
	if opts.Clock == nil {
		opts.Clock = time.Now
	}
	return &KeyService{store: store, clock: opts.Clock, ignoreUse: opts.IgnoreUse}
}

// Get returns the key with that hash, even if it is revoked or expired. It returns a
// [*KeyError] that matches [ErrUnknownKey] when there is no such key.
func (s *KeyService) Get(ctx context.Context, hash [32]byte) (Key, error) {
	record, err := s.store.KeyByHash(ctx, hash)
	return record.Key, keyError(hash, err)
}

// List returns the keys of an organization, oldest first. They include revoked and
// expired keys. With 0 it returns the keys that have no organization.
func (s *KeyService) List(ctx context.Context, organizationID int64) ([]Key, error) {
	return s.store.Keys(ctx, organizationID)
}

// update changes a key, and adds its fingerprint to errors about its state.
func (s *KeyService) update(ctx context.Context, hash [32]byte, update func(old Key) (KeyUpdate, error)) (Key, error) {
	key, err := s.store.UpdateKey(ctx, hash, update)
	return key, keyError(hash, err)
}

// now returns the time of the clock, as it is stored.
func (s *KeyService) now() time.Time {
	return clampTime(s.clock())
}
