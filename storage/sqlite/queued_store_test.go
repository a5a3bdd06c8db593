package sqlite_test

import (
	"context"
	"database/sql"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/storage/internal/test/fixtures"
	"github.com/apguard/apguard/storage/sqlite"
)

// queuedStore is a store whose steps can be made to wait in its queue. It counts commits.
type queuedStore struct {
	*testing.T
	*sqlite.Store
	db      *sql.DB
	locking *sql.DB // its transactions make the steps wait
	commits atomic.Int64
	// hook may be set while no step runs.
	hook statementHook
}

func newQueuedStore(t *testing.T, d hostDriver) *queuedStore {
	t.Helper()
	s := &queuedStore{T: t}
	path := newFile(t)
	s.locking = d.open(t, path, testSettings)
	require.NoError(t, sqlite.Migrate(t.Context(), s.locking))
	s.db = d.openHooked(t, path, func(statement string) error {
		if statement == "COMMIT" {
			s.commits.Add(1)
		}
		if s.hook == nil {
			return nil
		}
		return s.hook(statement)
	})
	s.Store = newStore(t, s.db, longTimeout())
	sqlite.SetSharedBytes(s.Store, 1<<20) // about 1,500 assets
	fixtures.Fill(t, s.Store)
	s.commits.Store(0)
	return s
}

// call calls a method of the store.
type call func(ctx context.Context) error

// queue makes the calls, which wait in the queue in their order, and then lets them run. It
// runs meanwhile, unless nil, while they wait. It returns the errors of the calls.
func (s *queuedStore) queue(meanwhile func(), calls ...call) []error {
	s.Helper()
	lock := begin(s.T, s.locking)
	got, done := make([]error, len(calls)), make(chan struct{})
	for i, call := range calls {
		go func() {
			got[i] = call(s.Context())
			done <- struct{}{}
		}()
		s.awaitWaiting(i + 1)
	}
	if meanwhile != nil {
		meanwhile()
	}
	require.NoError(s, lock.Rollback())
	for range calls {
		<-done
	}
	return got
}

// awaitWaiting waits until n steps are in the queue.
func (s *queuedStore) awaitWaiting(n int) {
	s.Helper()
	require.Eventually(s, func() bool { return s.Stats().Writes.Waiting == n }, time.Minute, 100*time.Microsecond)
}

// await waits until the channel is closed, or for a minute.
func await(closed <-chan struct{}) {
	select {
	case <-closed:
	case <-time.After(time.Minute):
	}
}

// putUser returns a call that stores a user.
func (s *queuedStore) putUser(id int64) call {
	return func(ctx context.Context) error { return s.PutUser(ctx, account.User{ID: id}, audit.Entry{}) }
}

// dispute returns a call that creates a dispute of the asset.
func (s *queuedStore) dispute(name, note string) call {
	return func(ctx context.Context) error {
		_, err := s.CreateDispute(ctx, fixtures.DisputeCommand(name, note))
		return err
	}
}

// add returns a call that adds n assets.
func (s *queuedStore) add(name string, n int) call {
	return func(ctx context.Context) error {
		_, err := s.AddToAllowlist(ctx, fixtures.BatchCommand(name, n))
		return err
	}
}

// users returns the IDs of all users.
func (s *queuedStore) users() []string {
	s.Helper()
	return queryColumn(s, s.locking, "SELECT id FROM apguard_users ORDER BY id")
}

// assets returns the number of assets whose names have the prefix.
func (s *queuedStore) assets(prefix string) int {
	s.Helper()
	found := 0
	for _, canonical := range queryColumn(s, s.locking, "SELECT canonical FROM apguard_assets") {
		if strings.HasPrefix(canonical, "https://"+prefix) {
			found++
		}
	}
	return found
}
