package postgres_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage/internal/sqlstore"
	"github.com/apguard/apguard/storage/postgres"
)

// Only an answer that leaves the connection open means that nothing was committed.
func TestIsRefusal(t *testing.T) {
	t.Parallel()
	for reason, test := range map[string]struct {
		err  error
		want bool
	}{
		"a conflict":                         {&pgconn.PgError{SeverityUnlocalized: "ERROR", Code: "40001"}, true},
		"a broken transaction":               {pgx.ErrTxCommitRollback, true},
		"an ambiguous result":                {&pgconn.PgError{SeverityUnlocalized: "ERROR", Code: "40003"}, false},
		"the end of the server":              {&pgconn.PgError{SeverityUnlocalized: "FATAL", Code: "57P01"}, false},
		"a lost connection":                  {io.ErrUnexpectedEOF, false},
		"a connection that pgx found closed": {pgconn.ErrConnClosed, false},
	} {
		require.Equal(t, test.want, postgres.IsRefusal(test.err), reason)
	}
}

// Calls do not use the default isolation level of the server.
func TestWrite_ReadCommitted(t *testing.T) {
	t.Parallel()
	store := open(t, withParameter(t, newDatabase(t), "default_transaction_isolation", "serializable"))
	require.NoError(t, postgres.Write(t.Context(), store, func(ctx context.Context, on sqlstore.Conn) error {
		level, err := queryOn[string](ctx, on, "SHOW transaction_isolation")
		require.Equal(t, "read committed", level)
		return err
	}))
}

// A step that ignores the failure of a statement does not succeed: COMMIT rolls back.
func TestWrite_IgnoredFailure(t *testing.T) {
	t.Parallel()
	store := open(t, newDatabase(t))
	err := postgres.Write(t.Context(), store, func(ctx context.Context, on sqlstore.Conn) error {
		_, err := on.Exec(ctx, "SELECT 1 / 0")
		require.Error(t, err)
		return nil
	})
	require.ErrorIs(t, err, pgx.ErrTxCommitRollback)
}

// queryOn returns the only value of a query on the connection of a step.
func queryOn[T any](ctx context.Context, on sqlstore.Conn, query string) (T, error) {
	var value T
	rows, err := on.Query(ctx, query)
	if err != nil {
		return value, err
	}
	rows.Next()
	err = rows.Scan(&value)
	return value, errors.Join(err, rows.Close())
}

// A slow step ends the plans of its connection, which may be from when the tables were small.
func TestEngine_DiscardPlans(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	config, err := postgres.ParseConfig(dsn)
	require.NoError(t, err)
	tracer := &recorder{}
	config.ConnConfig.Tracer, config.MaxConns = tracer, 1
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	require.NoError(t, postgres.Migrate(t.Context(), pool))
	store, err := postgres.New(t.Context(), pool, postgres.Options{})
	require.NoError(t, err)
	for _, slow := range []time.Duration{time.Hour, 0} {
		postgres.SetSlowStep(store, slow)
		require.NoError(t, store.Ping(t.Context()))
		last := tracer.statements[len(tracer.statements)-1].SQL
		require.Equal(t, slow == 0, last == "discard plans", last)
	}
}
