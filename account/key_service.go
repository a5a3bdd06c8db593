package account

import (
	"context"
	"sync"
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

// KeyCacheTTL is the maximum age of the record of a key that [KeyService.Authenticate] uses.
// It is measured in elapsed time, so setting a clock does not extend it. Time in which the
// machine is suspended may not count.
const KeyCacheTTL = time.Second

// maxCached bounds the number of records in the cache. Those of other keys are read for each
// call.
const maxCached = 4096

// keyCache has records of keys that were read in the last [KeyCacheTTL], but no unknown
// keys. The zero value is ready to use.
type keyCache struct {
	mu sync.Mutex
	// window is the current window, or nil after a write of a key.
	window *keyWindow
	// excluded has the first bytes of the hashes of keys that are not cached, which
	// bounds its size.
	excluded map[[2]byte]bool
}

// keyWindow has records that were read after it was opened. It is replaced and never
// emptied: a call that began to read before a write adds its record to the old window.
type keyWindow struct {
	opened  time.Time
	records map[[32]byte]KeyRecord
}

// get returns the record of a key, and whether it is cached. Otherwise, the caller passes the
// window to add after it has read the record.
func (c *keyCache) get(hash [32]byte) (KeyRecord, bool, *keyWindow) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.window == nil || time.Since(c.window.opened) >= KeyCacheTTL {
		c.window = &keyWindow{opened: time.Now(), records: make(map[[32]byte]KeyRecord)}
	}
	record, found := c.window.records[hash]
	return record, found, c.window
}

// add adds a record to the window that get returned before it was read.
func (c *keyCache) add(window *keyWindow, hash [32]byte, record KeyRecord) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(window.records) < maxCached && !c.excluded[[2]byte(hash[:])] {
		window.records[hash] = record
	}
}

// used sets LastUsedAt of a cached record, so that the use is not recorded again.
func (c *keyCache) used(hash [32]byte, at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.window == nil {
		return
	}
	if record, found := c.window.records[hash]; found {
		record.Key.LastUsedAt = at
		c.window.records[hash] = record
	}
}

// clear must be called after a write of a key. It clears all records that calls have
// read or are reading. If the write is not committed, later calls read the old record too,
// and nothing reports the end of the transaction. So the key is not cached again.
func (c *keyCache) clear(hash [32]byte, committed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.window = nil
	if committed {
		return
	}
	if c.excluded == nil {
		c.excluded = make(map[[2]byte]bool)
	}
	c.excluded[[2]byte(hash[:])] = true
}

// record returns the record of a key from the cache or else from the store. A service of a
// transaction reads the store only, because others must not see what it reads.
func (s *KeyService) record(ctx context.Context, hash [32]byte) (KeyRecord, error) {
	if s.transaction {
		return s.store.KeyByHash(ctx, hash)
	}
	record, found, window := s.cache.get(hash)
	if found {
		return record, nil
	}
	record, err := s.store.KeyByHash(ctx, hash)
	if err == nil {
		s.cache.add(window, hash, record)
	}
	return record, err
}
