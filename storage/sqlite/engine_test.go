package sqlite_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage/internal/fixtures"
	"github.com/apguard/apguard/storage/sqlite"
)

// What reads does not wait for what writes, whatever the host says of the
// transactions that it begins itself.
func TestEngine_ReadDoesNotWaitForWriter(t *testing.T) {
	t.Parallel()
	for _, h := range hosts() {
		t.Run(h.driver, func(t *testing.T) {
			t.Parallel()
			db := h.database(t) // its transactions are immediate ones
			store := newStore(t, db, sqlite.Options{})
			fixtures.Fill(t, store)
			writing := begin(t, db)
			defer writing.Rollback() //nolint:errcheck // it has written nothing

			ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second) // less than the busy timeout
			defer cancel()
			_, err := store.Reports(ctx, report.ListRequest{Scope: report.InOrganization(1), Limit: 10})
			require.NoError(t, err)
		})
	}
}

// A step that has not begun is withdrawn at once, though others share a
// transaction before it.
func TestEngine_ContextEndsWaitForRunningStep(t *testing.T) {
	t.Parallel()
	c := newCrowd(t, purely())
	ctx, cancel := context.WithCancel(t.Context())
	withdrawn := make(chan struct{})
	c.see = func(statement string) error {
		if strings.HasPrefix(statement, "INSERT INTO apguard_assets") {
			cancel()
			await(withdrawn) // while this step is under way
		}
		return nil
	}
	var late bool
	got := c.queue(nil, c.add("new", 1), func(context.Context) error {
		defer close(withdrawn)
		err := c.PutUser(ctx, account.User{ID: 10})
		late = c.commits.Load() > 0
		return err
	}, c.put(11))
	require.NoError(t, got[0])
	require.ErrorIs(t, got[1], context.Canceled)
	require.NoError(t, got[2])
	require.False(t, late, "it was answered only when the other one was done")
	require.NotContains(t, c.users(), "10")
}

// One step that is interrupted after it has written costs the others nothing but
// one more attempt.
func TestEngine_OthersContinueAfterWithdrawal(t *testing.T) {
	t.Parallel()
	c := newCrowd(t, purely())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c.see = func(statement string) error {
		if strings.HasPrefix(statement, "INSERT INTO apguard_changes") {
			cancel()
		}
		return nil
	}
	const others = 50
	calls := make([]call, others+1)
	for i := range others {
		calls[i] = c.put(int64(i + 10))
	}
	calls[others] = func(context.Context) error {
		_, err := c.AddToAllowlist(ctx, fixtures.BatchCommand("new", 3))
		return err
	}
	got := c.queue(nil, calls...)
	for i := range others {
		require.NoError(t, got[i])
	}
	require.ErrorIs(t, got[others], context.Canceled)
	require.EqualValues(t, 1, c.commits.Load())
}

// A connection that cannot be made while another store writes is tried again, not
// all the time, and not for longer than the busy timeout.
func TestEngine_BusyConnection(t *testing.T) {
	t.Parallel()
	var busy atomic.Bool
	var attempts atomic.Int64
	h := purely()
	db := sql.OpenDB(connecting{h.connector(t, newFile(t), usual), func() error {
		if !busy.Load() {
			return nil
		}
		attempts.Add(1)
		return failed(5)
	}})
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	require.NoError(t, sqlite.Migrate(t.Context(), db))
	store := newStore(t, db, sqlite.Options{BusyTimeout: 200 * time.Millisecond})
	db.SetMaxIdleConns(0)

	busy.Store(true)
	require.ErrorIs(t, store.PutUser(t.Context(), account.User{ID: 1}), sqlite.ErrBusy)
	require.Less(t, attempts.Load(), int64(201), "it must pause for a millisecond at least")
	busy.Store(false)
	require.NoError(t, store.PutUser(t.Context(), account.User{ID: 1}))
}

// connecting asks before it connects.
type connecting struct {
	driver.Connector
	ask func() error
}

func (c connecting) Connect(ctx context.Context) (driver.Conn, error) {
	if err := c.ask(); err != nil {
		return nil, err
	}
	return c.Connector.Connect(ctx)
}

// New does with one connection when the host has all others in use.
func TestNew_OneConnection(t *testing.T) {
	t.Parallel()
	db := purely().database(t)
	db.SetMaxOpenConns(2)
	used, err := db.Conn(t.Context())
	require.NoError(t, err)
	defer used.Close() //nolint:errcheck // it was not used
	newStore(t, db, sqlite.Options{})
}

// A context ends a long read inside a transaction of the host's too.
func TestEngine_ContextEndsReadInTransaction(t *testing.T) {
	t.Parallel()
	for _, h := range hosts() {
		t.Run(h.driver, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			path := newFile(t)
			db := h.openWatched(t, path, func(statement string) error {
				if strings.HasPrefix(statement, "SELECT a.id, a.type") {
					cancel()
				}
				return nil
			})
			require.NoError(t, sqlite.Migrate(t.Context(), db))
			fixtures.Fill(t, newStore(t, db, sqlite.Options{}))
			tx := begin(t, db)
			defer tx.Rollback() //nolint:errcheck // it has written nothing

			var entries []allowlist.Entry
			entries, err := sqlite.InTx(tx).AllowlistEntries(ctx, 1, 0, 10)
			require.ErrorIs(t, err, context.Canceled)
			require.Empty(t, entries)
			require.NoError(t, sqlite.InTx(tx).PutUser(t.Context(), account.User{ID: 10}), "the transaction goes on")
		})
	}
}
