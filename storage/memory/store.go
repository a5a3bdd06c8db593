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
	"sort"
	"sync"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/pending"
	"github.com/apguard/apguard/step"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/webhook"
)

var _ storage.Store = (*Store)(nil)

// Store implements storage.Store in memory. [New] returns one. It is safe for concurrent
// use: calls that only read run at the same time, and calls that write run one by one.
type Store struct {
	mu     sync.RWMutex
	closed bool
	tables tables
}

// tables is the data of a store. Rows point to each other, so every fact is stored once.
// Callers get copies only.
type tables struct {
	storeID asset.StoreID

	organizations map[int64]account.Organization
	slugs         map[string]int64 // to the ID of the organization
	groups        map[int64]account.Group
	lastGroup     int64 // the largest ID
	users         map[int64]account.User
	keys          map[[32]byte]account.Key // by hash

	assets        map[asset.Identity]*assetRow
	assetsByID    map[int64]*assetRow
	assetsInOrder []*assetRow // ordered by ID
	changes       changelog
	feed          feed
	// changed counts the changes that the present step has recorded, by their To.
	changed      map[asset.Status]int
	lastChange   int64 // the largest ID, even if the change was pruned
	prunedChange int64 // the largest ID of a pruned change
	prunings     int64 // the number of steps that pruned changes

	allowlists map[int64][]*entryRow // by organization, ordered by asset ID

	disputes       map[int64]*disputeRow
	disputesByTime []*disputeRow // oldest first
	disputeKeys    map[disputeKey]bool
	lastDispute    int64 // the largest ID

	disputeEvents    []dispute.Event // by position
	lastDisputeEvent int64           // the largest position

	reports               map[int64]*reportRow
	reportsByID           []*reportRow           // ordered by ID
	reportsByOrganization map[int64][]*reportRow // ordered by ID
	lastReport            int64                  // the largest ID
	proposals             map[int64]*proposalRow
	lastProposal          int64 // the largest ID
	reviews               map[int64]*reviewRow
	lastReview            int64 // the largest ID

	idempotency map[idempotency.ID]idempotency.Record

	lists    map[int64]*listRow
	lastList int64 // the largest ID, even if the list was removed

	acts []pending.Act // ordered by ID, without gaps

	endpoints    map[int64]webhook.Endpoint
	lastEndpoint int64 // the largest ID

	audit []audit.Entry // ordered by ID, without gaps
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
		idempotency:           make(map[idempotency.ID]idempotency.Record),
		lists:                 make(map[int64]*listRow),
		endpoints:             make(map[int64]webhook.Endpoint),
		changed:               make(map[asset.Status]int),
	}}
	_, _ = rand.Read(s.tables.storeID[:]) // never fails
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
	s.mu.RLock()
	defer s.mu.RUnlock()

	return s.check(ctx)
}

// read runs a step that only reads.
func read[T any](ctx context.Context, s *Store, step func(t *tables) (T, error)) (T, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()

	if err := s.check(ctx); err != nil {
		var none T
		return none, err
	}
	return step(&s.tables)
}

// write runs a step that writes. It must return an error only before it has written
// anything.
func write[T any](ctx context.Context, s *Store, step func(t *tables) (T, error)) (T, error) {
	s.mu.Lock()
	defer s.mu.Unlock()

	if err := s.check(ctx); err != nil {
		var none T
		return none, err
	}
	clear(s.tables.changed)
	got, err := step(&s.tables)
	if count := storage.ChangeCounter(ctx); count != nil {
		for to, n := range s.tables.changed {
			count(to, n)
		}
	}
	return got, err
}

// do is write without a result.
func (s *Store) do(ctx context.Context, step func(t *tables) error) error {
	_, err := write(ctx, s, func(t *tables) (struct{}, error) { return struct{}{}, step(t) })
	return err
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

// page returns the first page of the items that the rows become.
func page[R any, T step.PageItem](rows []R, limit int, item func(R) T) (step.Page[T], error) {
	return step.ReadPage(limit, func(yield func(T, error) bool) {
		for _, row := range rows {
			if !yield(item(row), nil) {
				return
			}
		}
	})
}

// above returns the rows with an ID above id. The rows are ordered by ID.
func above[T any](rows []T, id int64, idOf func(T) int64) []T {
	return rows[sort.Search(len(rows), func(i int) bool { return idOf(rows[i]) > id }):]
}

// errNoID reports that a call needs a new ID after the largest one was used.
var errNoID = errors.New("memory: out of identifiers")
