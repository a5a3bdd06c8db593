// Package memory implements storage.Store in the memory of the process. The data is lost
// when the process ends.
//
// It suits tests, demonstrations and services that import a seed at each start. It is also
// the shortest complete adapter, and can serve as a model for others.
package memory

import (
	"context"
	"crypto/rand"
	"errors"
	"sync"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage"
)

var _ storage.Store = (*Store)(nil)

// Store implements storage.Store in memory. [New] returns one. It is safe for concurrent
// use: calls that only read run at the same time, and calls that write run one by one.
type Store struct {
	id     asset.StoreID
	mu     sync.RWMutex
	closed bool
	tables tables
}

// tables is the data of a store. Rows point to each other, so every fact is stored once.
// Callers get copies only.
type tables struct {
	organizations map[int64]account.Organization
	slugs         map[string]int64 // to the ID of the organization
	groups        map[int64]account.Group
	lastGroup     int64 // the largest ID
	users         map[int64]account.User
	keys          map[[32]byte]account.Key // by hash

	assets     map[asset.Identity]*assetRow
	assetsByID map[int64]*assetRow
	changes    changelog
	feed       feed
	lastChange int64 // the largest ID, even if the change was pruned

	allowlists map[int64][]*entryRow // by organization, ordered by asset ID

	disputes       map[int64]*disputeRow
	disputesByTime []*disputeRow // oldest first
	disputeKeys    map[disputeKey]bool

	reports               map[int64]*reportRow
	reportsByID           []*reportRow           // ordered by ID
	reportsByOrganization map[int64][]*reportRow // ordered by ID
	lastReport            int64                  // the largest ID
	proposals             map[int64]*proposalRow
	reviews               map[int64]*reviewRow
}

// New returns an empty store.
func New() *Store {
	s := &Store{tables: tables{
		organizations:         make(map[int64]account.Organization),
		slugs:                 make(map[string]int64),
		groups:                make(map[int64]account.Group),
		users:                 make(map[int64]account.User),
		keys:                  make(map[[32]byte]account.Key),
		assets:                make(map[asset.Identity]*assetRow),
		assetsByID:            make(map[int64]*assetRow),
		allowlists:            make(map[int64][]*entryRow),
		disputes:              make(map[int64]*disputeRow),
		disputeKeys:           make(map[disputeKey]bool),
		reports:               make(map[int64]*reportRow),
		reportsByOrganization: make(map[int64][]*reportRow),
		proposals:             make(map[int64]*proposalRow),
		reviews:               make(map[int64]*reviewRow),
	}}
	_, _ = rand.Read(s.id[:]) // never fails
	return s
}

// Close releases the data. Later calls return storage.ErrClosed, except for Close.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()

	s.closed = true
	s.tables = tables{}
	return nil
}

// Ping implements [storage.Store].
func (s *Store) Ping(ctx context.Context) error {
	if err := s.beginRead(ctx); err != nil {
		return err
	}
	defer s.mu.RUnlock()

	return nil
}

// beginWrite locks the store for a call that writes. If it returns nil, the caller
// unlocks the store.
func (s *Store) beginWrite(ctx context.Context) error {
	s.mu.Lock()
	if err := s.check(ctx); err != nil {
		s.mu.Unlock()
		return err
	}
	return nil
}

// beginRead locks the store for a call that only reads. If it returns nil, the caller
// unlocks the store.
func (s *Store) beginRead(ctx context.Context) error {
	s.mu.RLock()
	if err := s.check(ctx); err != nil {
		s.mu.RUnlock()
		return err
	}
	return nil
}

// check returns an error if the store is closed or ctx has ended. The caller holds the
// lock, because both can happen while it waits for the lock.
func (s *Store) check(ctx context.Context) error {
	if s.closed {
		return storage.ErrClosed
	}
	return ctx.Err()
}

// checkScan returns the error of ctx. It is called with the index of each row of a long
// scan and looks at every 1024th.
func checkScan(ctx context.Context, index int) error {
	if index%1024 != 0 {
		return nil
	}
	return ctx.Err()
}

// first returns the first rows, at most limit.
func first[T any](rows []T, limit int) []T {
	return rows[:min(max(limit, 0), len(rows))]
}

// errNoID is the error of a call that needs a new ID after the largest one was used.
var errNoID = errors.New("memory: out of identifiers")
