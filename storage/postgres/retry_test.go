package postgres_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/benchtest"
	"github.com/apguard/apguard/storage/internal/sqlstore"
	"github.com/apguard/apguard/storage/postgres"
)

// A test that waits for something gives up after timeLimit, and looks every tick.
const (
	timeLimit = time.Minute
	tick      = time.Millisecond
)

const renameUser = "UPDATE apguard_users SET full_name = full_name || $1 WHERE id = $2"

// Two steps that wait for each other are both carried out in the end.
func TestRetry_Deadlock(t *testing.T) {
	t.Parallel()
	store := open(t, database(t))
	for id := range int64(2) {
		require.NoError(t, store.PutUser(t.Context(), account.User{ID: id + 1}))
	}
	holding := [2]chan struct{}{make(chan struct{}), make(chan struct{})}
	var runs [2]int
	done := make(chan error)
	for i := range runs {
		go func() {
			done <- postgres.Write(t.Context(), store, func(ctx context.Context, on sqlstore.Conn) error {
				runs[i]++
				if _, err := on.Exec(ctx, renameUser, "a", int64(i+1)); err != nil {
					return err
				}
				if runs[i] == 1 {
					close(holding[i])
				}
				<-holding[1-i]
				_, err := on.Exec(ctx, renameUser, "b", int64(2-i))
				return err
			})
		}()
	}
	require.NoError(t, <-done)
	require.NoError(t, <-done)
	require.Greater(t, runs[0]+runs[1], 2, "there was no deadlock")
	for id := range 2 {
		name := ""
		require.NoError(t, postgres.Pool(store).QueryRow(t.Context(),
			"SELECT full_name FROM apguard_users WHERE id = $1", id+1).Scan(&name))
		require.Len(t, name, 2, "each step is carried out once")
	}
}

func TestRetry_Bounded(t *testing.T) {
	t.Parallel()
	dsn := database(t)
	migrated(t, dsn)
	store, err := postgres.New(t.Context(), pool(t, dsn), postgres.Options{MaxRetries: 3})
	require.NoError(t, err)
	for reason, test := range map[string]struct {
		code string
		runs int
		want error
	}{
		"a serialization failure goes away":   {"40001", 4, postgres.ErrSerialization},
		"a deadlock goes away":                {"40P01", 4, postgres.ErrSerialization},
		"an identifier that another one took": {"23505", 4, postgres.ErrSerialization},
		"a division by zero stays":            {"22012", 1, &pgconn.PgError{}},
		"an ambiguous result may be stored":   {"40003", 1, &pgconn.PgError{}},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			runs := 0
			err := postgres.Write(t.Context(), store, func(context.Context, sqlstore.Conn) error {
				runs++
				return &pgconn.PgError{Severity: "ERROR", Code: test.code}
			})
			var failed *pgconn.PgError
			require.ErrorAs(t, err, &failed, "the server's error is there")
			require.Equal(t, test.code, failed.Code)
			if test.runs > 1 {
				require.ErrorIs(t, err, test.want)
			}
			require.ErrorContains(t, err, "postgres: test: ")
			require.Equal(t, test.runs, runs)
		})
	}
}

// Only an answer that leaves the connection open says that nothing was committed.
func TestCommit_Refused(t *testing.T) {
	t.Parallel()
	for reason, test := range map[string]struct {
		err  error
		want bool
	}{
		"a conflict":                {&pgconn.PgError{SeverityUnlocalized: "ERROR", Code: "40001"}, true},
		"a broken transaction":      {pgx.ErrTxCommitRollback, true},
		"an ambiguous result":       {&pgconn.PgError{SeverityUnlocalized: "ERROR", Code: "40003"}, false},
		"the end of the server":     {&pgconn.PgError{SeverityUnlocalized: "FATAL", Code: "57P01"}, false},
		"a connection that is lost": {io.ErrUnexpectedEOF, false},
		"a connection that pgx has found closed while it waited": {pgconn.ErrConnClosed, false},
	} {
		require.Equal(t, test.want, postgres.IsRefusal(test.err), reason)
	}
}

func TestRetry_Context(t *testing.T) {
	t.Parallel()
	store := open(t, database(t))
	ctx, cancel := context.WithCancel(t.Context())
	runs := 0
	err := postgres.Write(ctx, store, func(context.Context, sqlstore.Conn) error {
		runs++
		cancel()
		return &pgconn.PgError{Code: "40001"}
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 1, runs)
}

// A step that fails leaves nothing behind, and the next run begins anew.
func TestRetry_StoredOnce(t *testing.T) {
	t.Parallel()
	dsn := database(t)
	store := open(t, dsn)
	runs := 0
	require.NoError(t, postgres.Write(t.Context(), store, func(ctx context.Context, on sqlstore.Conn) error {
		runs++
		if _, err := on.Insert(ctx, "INSERT INTO apguard_groups (organization_id, name) VALUES (1, '')"); err != nil {
			return err
		}
		if runs < 3 {
			return &pgconn.PgError{Code: "40001"}
		}
		return nil
	}))
	require.Equal(t, 3, runs)
	require.Equal(t, 1, single[int](t, dsn, "SELECT count(*) FROM apguard_groups"))
}

func TestPersistence_IdentifiersNotReused(t *testing.T) {
	t.Parallel()
	store := open(t, database(t))
	first, err := store.PutGroup(t.Context(), account.Group{OrganizationID: 1})
	require.NoError(t, err)
	_, err = postgres.Pool(store).Exec(t.Context(), "DELETE FROM apguard_groups")
	require.NoError(t, err)
	second, err := store.PutGroup(t.Context(), account.Group{OrganizationID: 1})
	require.NoError(t, err)
	require.Greater(t, second.ID, first.ID)

	// What is below the last one does not turn the numbering back.
	_, err = postgres.Pool(store).Exec(t.Context(), "DELETE FROM apguard_groups")
	require.NoError(t, err)
	_, err = store.PutGroup(t.Context(), account.Group{ID: first.ID, OrganizationID: 1})
	require.NoError(t, err)
	third, err := store.PutGroup(t.Context(), account.Group{OrganizationID: 1})
	require.NoError(t, err)
	require.Greater(t, third.ID, second.ID)
}

// The largest identifier is the last one: a group more is an error, and does not
// stay in the store.
func TestPersistence_OutOfIdentifiers(t *testing.T) {
	t.Parallel()
	store := open(t, database(t))
	last := account.Group{ID: asset.MaxID, OrganizationID: 1, Name: "last"}
	_, err := store.PutGroup(t.Context(), last)
	require.NoError(t, err)
	_, err = store.PutGroup(t.Context(), account.Group{OrganizationID: 1})
	require.ErrorContains(t, err, "postgres: put group: ")
	groups, err := store.Groups(t.Context(), 1)
	require.NoError(t, err)
	require.Equal(t, []account.Group{last}, groups)
	_, err = store.PutGroup(t.Context(), account.Group{ID: 5, OrganizationID: 1})
	require.NoError(t, err, "a smaller one is still free")
}

// Batches with the same assets, in whatever order, wait for each other and not for
// one that waits for them: a transaction of the host's would have to begin again.
// Here both meet a third one that has an asset in the middle.
func TestAddToAllowlist_NoDeadlock(t *testing.T) {
	t.Parallel()
	const size = 101
	for reason, known := range map[string]bool{"new assets": false, "known assets": true} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			dsn := database(t)
			store := open(t, dsn)
			name := benchtest.AddCommand(1, size).Candidates[size/2].Content
			middle := begin(t, dsn, pgx.ReadCommitted)
			if known {
				_, err := store.AddToAllowlist(t.Context(), benchtest.AddCommand(1, size))
				require.NoError(t, err)
				_, err = middle.Exec(t.Context(), "SELECT 1 FROM apguard_assets WHERE canonical = $1 FOR UPDATE", name)
				require.NoError(t, err)
			} else {
				require.NoError(t, block(t.Context(), postgres.InTx(middle), name))
			}
			done := make(chan error)
			for i := range 2 {
				tx := begin(t, dsn, pgx.ReadCommitted)
				a := benchtest.AddCommand(1, size)
				a.OrganizationID = int64(i + 2)
				if i == 1 {
					slices.Reverse(a.Candidates)
				}
				go func() {
					_, err := postgres.InTx(tx).AddToAllowlist(t.Context(), a)
					done <- errors.Join(err, tx.Commit(t.Context()))
				}()
			}
			waiting(t, dsn, 2)
			require.NoError(t, middle.Commit(t.Context()))
			require.NoError(t, <-done)
			require.NoError(t, <-done)
		})
	}
}
