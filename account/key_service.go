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
}

// KeyService manages API keys and authenticates with them. It is safe for concurrent
// use if its store is.
type KeyService struct {
	store KeyStore
	clock func() time.Time
	// transaction marks the service of a transaction; see With.
	transaction bool
	// cache is shared with the services of transactions.
	cache *keyCache
	uses  keyUses
}

// NewKeyService returns a KeyService that uses the store.
func NewKeyService(store KeyStore, opts KeyOptions) *KeyService {
	if opts.Clock == nil {
		opts.Clock = time.Now
	}
	return &KeyService{store: store, clock: opts.Clock, cache: &keyCache{}}
}

// With returns a KeyService with the same options on the store of a transaction of the
// host application, such as that of sqlite.InTx. What it writes holds for s as soon as the
// transaction is committed. From then on, s reads the keys that it has changed from the
// store for each call of Authenticate.
//
// Its Authenticate reads each key from the store and does not update LastUsedAt. An update
// that fails could abort the transaction, and one that succeeds would block other writes to
// the key until the transaction ends.
func (s *KeyService) With(store KeyStore) *KeyService {
	return &KeyService{store: store, clock: s.clock, cache: s.cache, transaction: true}
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
	defer s.cache.clear(hash, !s.transaction)
	key, err := s.store.UpdateKey(ctx, hash, update)
	return key, keyError(hash, err)
}

// Now returns the time of the clock, as it is stored.
func (s *KeyService) Now() time.Time {
	return clampTime(s.clock())
}
