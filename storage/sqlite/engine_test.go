package sqlite_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage/internal/test/fixtures"
	"github.com/apguard/apguard/storage/sqlite"
)

// Reads do not wait for the writer, even if the host application makes its transactions
// immediate.
func TestEngine_ReadDoesNotWaitForWriter(t *testing.T) {
	t.Parallel()
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			db := d.database(t) // its transactions are immediate
			store := newStore(t, db, sqlite.Options{})
			fixtures.Fill(t, store)
			writing := begin(t, db)
			defer writing.Rollback() //nolint:errcheck // it wrote nothing

			_, err := store.Reports(t.Context(), report.ListRequest{Scope: report.InOrganization(1), Limit: 10})
			require.NoError(t, err)
		})
	}
}

// A step that waits behind a running transaction is withdrawn at once.
func TestEngine_ContextEndsWaitForRunningStep(t *testing.T) {
	t.Parallel()
	s := newQueuedStore(t, pureGo())
	ctx, cancel := context.WithCancel(t.Context())
	withdrawn := make(chan struct{})
	s.hook = func(statement string) error {
		if strings.HasPrefix(statement, "INSERT INTO apguard_assets") {
			cancel()
			await(withdrawn) // while this step runs
		}
		return nil
	}
	var late bool
	got := s.queue(nil, s.add("new", 1), func(context.Context) error {
		defer close(withdrawn)
		err := s.PutUser(ctx, account.User{ID: 10}, audit.Entry{})
		late = s.commits.Load() > 0
		return err
	}, s.putUser(11))
	require.NoError(t, got[0])
	require.ErrorIs(t, got[1], context.Canceled)
	require.NoError(t, got[2])
	require.False(t, late, "the call returned only after the running step")
	require.NotContains(t, s.users(), "10")
}

// If a step is interrupted after it has written, the others run again and share a commit.
func TestEngine_OthersContinueAfterWithdrawal(t *testing.T) {
	t.Parallel()
	s := newQueuedStore(t, pureGo())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s.hook = func(statement string) error {
		if strings.HasPrefix(statement, "INSERT INTO apguard_changes") {
			cancel()
		}
		return nil
	}
	const others = 50
	calls := make([]call, others+1)
	for i := range others {
		calls[i] = s.putUser(int64(i + 10))
	}
	calls[others] = func(context.Context) error {
		_, err := s.AddToAllowlist(ctx, fixtures.BatchCommand("new", 3))
		return err
	}
	got := s.queue(nil, calls...)
	for i := range others {
		require.NoError(t, got[i])
	}
	require.ErrorIs(t, got[others], context.Canceled)
	require.EqualValues(t, 1, s.commits.Load())
}

// Connecting is tried again while the database is busy, with pauses, until the busy timeout.
func TestEngine_BusyConnection(t *testing.T) {
	t.Parallel()
	var busy atomic.Bool
	var attempts atomic.Int64
	d := pureGo()
	db := sql.OpenDB(hookedDialer{d.connector(t, newFile(t), testSettings), func() error {
		if !busy.Load() {
			return nil
		}
		attempts.Add(1)
		return driverError(codeBusy)
	}})
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	require.NoError(t, sqlite.Migrate(t.Context(), db))
	store := newStore(t, db, sqlite.Options{BusyTimeout: 200 * time.Millisecond})
	db.SetMaxIdleConns(0)

	busy.Store(true)
	require.ErrorIs(t, store.PutUser(t.Context(), account.User{ID: 1}, audit.Entry{}), sqlite.ErrBusy)
	require.Less(t, attempts.Load(), int64(201), "attempts without pauses")
	busy.Store(false)
	require.NoError(t, store.PutUser(t.Context(), account.User{ID: 1}, audit.Entry{}))
}

// hookedDialer calls the hook before it connects.
type hookedDialer struct {
	driver.Connector
	hook func() error
}

func (c hookedDialer) Connect(ctx context.Context) (driver.Conn, error) {
	if err := c.hook(); err != nil {
		return nil, err
	}
	return c.Connector.Connect(ctx)
}

// New checks one connection if the host application uses all others.
func TestNew_OneConnection(t *testing.T) {
	t.Parallel()
	path := newFile(t)
	require.NoError(t, sqlite.Migrate(t.Context(), pureGo().open(t, path, testSettings)))
	synctest.Test(t, func(t *testing.T) {
		db := pureGo().open(t, path, testSettings)
		db.SetMaxOpenConns(2)
		used, err := db.Conn(t.Context())
		require.NoError(t, err)
		defer used.Close() //nolint:errcheck // nothing ran on it
		newStore(t, db, sqlite.Options{})
	})
}

// The end of a context interrupts a read in a transaction of the host application.
func TestEngine_ContextEndsReadInTransaction(t *testing.T) {
	t.Parallel()
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			path := newFile(t)
			db := d.openHooked(t, path, func(statement string) error {
				if strings.HasPrefix(statement, "SELECT a.id, a.type") {
					cancel()
				}
				return nil
			})
			require.NoError(t, sqlite.Migrate(t.Context(), db))
			fixtures.Fill(t, newStore(t, db, sqlite.Options{}))
			tx := begin(t, db)
			defer tx.Rollback() //nolint:errcheck // it wrote nothing

			entries, err := sqlite.InTx(tx).AllowlistEntries(ctx, allowlist.ListRequest{OrganizationID: 1, Limit: 10}, time.Time{})
			require.ErrorIs(t, err, context.Canceled)
			require.Empty(t, entries.Entries)
			require.NoError(t, sqlite.InTx(tx).PutUser(t.Context(), account.User{ID: 10}, audit.Entry{}), "the transaction must stay usable")
		})
	}
}
