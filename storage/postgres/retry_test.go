package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/storage/internal/sqlstore"
	"github.com/apguard/apguard/storage/postgres"
)

// Tests check a condition every pollInterval and fail after waitTimeout.
const (
	waitTimeout  = time.Minute
	pollInterval = time.Millisecond
)

const renameUser = "UPDATE apguard_users SET full_name = full_name || $1 WHERE id = $2"

// Two steps that wait for each other both succeed in the end.
func TestRetry_Deadlock(t *testing.T) {
	t.Parallel()
	store := open(t, newDatabase(t))
	for id := range int64(2) {
		require.NoError(t, store.PutUser(t.Context(), account.User{ID: id + 1}, audit.Entry{}))
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
		require.Len(t, name, 2, "each step is stored once")
	}
}

func TestRetry_Bounded(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	migrate(t, dsn)
	store, err := postgres.New(t.Context(), newPool(t, dsn), postgres.Options{MaxRetries: 3})
	require.NoError(t, err)
	for reason, test := range map[string]struct {
		code string
		runs int
		want error
	}{
		"a serialization failure": {"40001", 4, postgres.ErrSerialization},
		"a deadlock":              {"40P01", 4, postgres.ErrSerialization},
		"a taken ID":              {"23505", 4, postgres.ErrSerialization},
		"a permanent error":       {"22012", 1, &pgconn.PgError{}},
		"an ambiguous result":     {"40003", 1, &pgconn.PgError{}},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			runs := 0
			err := postgres.Write(t.Context(), store, func(context.Context, sqlstore.Conn) error {
				runs++
				return &pgconn.PgError{Severity: "ERROR", Code: test.code}
			})
			var failed *pgconn.PgError
			require.ErrorAs(t, err, &failed, "the error of the server")
			require.Equal(t, test.code, failed.Code)
			if test.runs > 1 {
				require.ErrorIs(t, err, test.want)
			}
			require.ErrorContains(t, err, "postgres: test: ")
			require.Equal(t, test.runs, runs)
		})
	}
}

func TestRetry_Context(t *testing.T) {
	t.Parallel()
	store := open(t, newDatabase(t))
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

// A step that fails stores nothing before it is retried.
func TestRetry_StoredOnce(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
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
	require.Equal(t, 1, queryValue[int](t, dsn, "SELECT count(*) FROM apguard_groups"))
}
