// Package memory is a store that keeps everything in the memory of the process
// and loses it at the end.
//
// It is for tests, for trying the service out, and for services that fill their
// store anew at each start. It needs no setting up, and it keeps the whole
// contract of package storage, which package storagetest checks.
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

// errNoID: an identifier that the caller gave leaves no larger one for the next
// group or report.
var errNoID = errors.New("memory store: the largest identifier is taken")

// Store is a store in memory. [New] makes one. It is safe for concurrent use:
// any number of calls may read at once, and one may write.
type Store struct {
	id     asset.StoreID
	mu     sync.RWMutex
	closed bool
	tables tables
}

// tables are all that a store holds. Rows point to each other, so that each
// fact stands in one place; nothing that a caller gets points to a row.
type tables struct {
	organizations map[int64]account.Organization
	slugs         map[string]int64
	groups        map[int64]account.Group
	lastGroup     int64
	users         map[int64]account.User
	keys          map[[32]byte]account.Key

	assets     map[asset.Identity]*assetRow
	assetsByID map[int64]*assetRow
	changes    changelog
	feed       feed
	// lastChange is the largest ID that a change has had.
	lastChange int64

	// allowlists holds the entries of each organization, ordered by asset ID.
	allowlists map[int64][]*entryRow

	disputes map[int64]*disputeRow
	// disputesByTime are all of them by creation, from the oldest to the newest.
	disputesByTime []*disputeRow
	disputed       map[disputeKey]bool

	// reports are ordered by ID, and so are those of each organization.
	reports               []*reportRow
	reportsByOrganization map[int64][]*reportRow
	reportsByID           map[int64]*reportRow
	lastReport            int64
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
		disputed:              make(map[disputeKey]bool),
		reportsByOrganization: make(map[int64][]*reportRow),
		reportsByID:           make(map[int64]*reportRow),
		proposals:             make(map[int64]*proposalRow),
		reviews:               make(map[int64]*reviewRow),
	}}
	_, _ = rand.Read(s.id[:]) // it never fails
	return s
}

// Close frees what the store holds. Later calls return [storage.ErrClosed].
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
	s.mu.RUnlock()
	return nil
}

// beginWrite locks the store for a step that writes. Without error, the caller
// unlocks it.
func (s *Store) beginWrite(ctx context.Context) error {
	s.mu.Lock()
	if err := s.usable(ctx); err != nil {
		s.mu.Unlock()
		return err
	}
	return nil
}

// beginRead locks the store for a step that only reads. Without error, the
// caller unlocks it.
func (s *Store) beginRead(ctx context.Context) error {
	s.mu.RLock()
	if err := s.usable(ctx); err != nil {
		s.mu.RUnlock()
		return err
	}
	return nil
}

// usable is asked under the lock, as the context may end while one waits for it.
func (s *Store) usable(ctx context.Context) error {
	if s.closed {
		return storage.ErrClosed
	}
	return ctx.Err()
}

// scanned is called for each row of a long reading. It returns the error of the
// context, for which it looks now and then.
func scanned(ctx context.Context, row int) error {
	if row%1024 != 0 {
		return nil
	}
	return ctx.Err()
}
