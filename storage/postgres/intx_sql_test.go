package postgres_test

import (
	"context"
	"database/sql"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/internal/test/fixtures"
	"github.com/apguard/apguard/storage/postgres"
)

// openSQL opens a database/sql database that is closed at the end of the test.
func openSQL(t *testing.T, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open("pgx", dsn)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

// beginSQL begins a host transaction that is rolled back at the end of the test.
func beginSQL(t *testing.T, db *sql.DB, opts *sql.TxOptions) *sql.Tx {
	t.Helper()
	tx, err := db.BeginTx(context.WithoutCancel(t.Context()), opts)
	require.NoError(t, err)
	t.Cleanup(func() { _ = tx.Rollback() }) // if the test has not ended it
	return tx
}

func TestInSQLTx_HostTablesAtomic(t *testing.T) {
	t.Parallel()
	for reason, test := range map[string]struct {
		end  func(*sql.Tx) error
		rows int
	}{
		"committed":   {(*sql.Tx).Commit, 1},
		"rolled back": {(*sql.Tx).Rollback, 0},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			dsn := newDatabase(t)
			migrate(t, dsn)
			execute(t, dsn, "CREATE TABLE tickets (id BIGINT)")
			tx := beginSQL(t, openSQL(t, dsn), nil)
			_, err := tx.ExecContext(t.Context(), "INSERT INTO tickets VALUES (1)")
			require.NoError(t, err)
			store := postgres.InSQLTx(tx)
			require.NoError(t, block(t.Context(), store, "a"))
			var changes int
			require.NoError(t, tx.QueryRowContext(t.Context(), "SELECT count(*) FROM apguard_changes").Scan(&changes))
			require.Equal(t, 1, changes, "a statement of the host application reads the changes of a call")
			require.Zero(t, queryValue[int](t, dsn, "SELECT count(*) FROM apguard_changes"), "other connections read nothing yet")

			require.NoError(t, test.end(tx))
			require.ErrorIs(t, block(t.Context(), store, "b"), sql.ErrTxDone)
			require.Equal(t, test.rows, queryValue[int](t, dsn, "SELECT count(*) FROM tickets"))
			require.Equal(t, test.rows, queryValue[int](t, dsn, "SELECT count(*) FROM apguard_changes"))
		})
	}
}

// A refused call leaves the transaction unchanged. To the tracer of the host application it is no
// failure.
func TestInSQLTx_ContractErrorChangesNothing(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	fixtures.Fill(t, open(t, dsn))
	config, err := pgx.ParseConfig(dsn)
	require.NoError(t, err)
	config.Tracer = failingTracer{t}
	db := stdlib.OpenDB(*config)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	for reason, refusal := range fixtures.Refusals() {
		t.Run(reason, func(t *testing.T) {
			tx := beginSQL(t, db, nil)
			require.Equal(t, refusal.Want, refusal.Call(t.Context(), postgres.InSQLTx(tx)), "the error must be unchanged")
			require.NoError(t, block(t.Context(), postgres.InSQLTx(tx), "another"), "the transaction is usable")
		})
	}
}

// failingTracer fails the test if a statement fails.
type failingTracer struct{ t *testing.T }

func (failingTracer) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}

func (f failingTracer) TraceQueryEnd(_ context.Context, _ *pgx.Conn, data pgx.TraceQueryEndData) {
	if data.Err != nil {
		f.t.Errorf("traced: %v", data.Err)
	}
}

func TestInSQLTx_Failure(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	store := open(t, dsn)
	for reason, test := range map[string]struct {
		opts sql.TxOptions
		// before runs in the transaction, before another one blocks an asset.
		before string
		want   error
		code   string
	}{
		"an old snapshot":         {sql.TxOptions{Isolation: sql.LevelRepeatableRead}, "SELECT 1 FROM apguard_assets", postgres.ErrSerialization, ""},
		"a read-only transaction": {sql.TxOptions{ReadOnly: true}, "SELECT 1", postgres.ErrReadOnly, "25006"},
		"tables that are missing": {sql.TxOptions{}, "SET LOCAL search_path = nowhere", nil, "42P01"},
	} {
		t.Run(reason, func(t *testing.T) {
			tx := beginSQL(t, openSQL(t, dsn), &test.opts)
			_, err := tx.ExecContext(t.Context(), test.before)
			require.NoError(t, err)
			require.NoError(t, block(t.Context(), store, reason))

			err = block(t.Context(), postgres.InSQLTx(tx), reason)
			require.ErrorContains(t, err, "postgres: set asset statuses: ")
			if test.want != nil {
				require.ErrorIs(t, err, test.want)
				require.ErrorIs(t, err, asset.ErrUnavailable)
			}
			if test.code != "" {
				var failed *pgconn.PgError
				require.ErrorAs(t, err, &failed)
				require.Equal(t, test.code, failed.Code)
			}
		})
	}
}

func TestInSQLTx_EndOfContext(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	migrate(t, dsn)
	first := begin(t, dsn, pgx.ReadCommitted)
	require.NoError(t, block(t.Context(), postgres.InTx(first), "a"))
	tx := beginSQL(t, openSQL(t, dsn), nil)
	ctx, end := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- block(ctx, postgres.InSQLTx(tx), "a") }()
	awaitLockWaits(t, dsn, 1)
	end()
	require.ErrorIs(t, <-done, context.Canceled)
	require.Error(t, tx.Commit(), "pgx has closed the connection")
}

// The end of the transaction waits for the call, as both use the connection.
func TestInSQLTx_EndOfTransactionInCall(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	migrate(t, dsn)
	first := begin(t, dsn, pgx.ReadCommitted)
	require.NoError(t, block(t.Context(), postgres.InTx(first), "a"))
	db := openSQL(t, dsn)
	db.SetMaxOpenConns(1)
	ctx, end := context.WithCancel(t.Context())
	tx, err := db.BeginTx(ctx, nil)
	require.NoError(t, err)
	done := make(chan error, 1)
	go func() { done <- setStatus(t.Context(), postgres.InSQLTx(tx), "a", asset.StatusAllowed) }()
	awaitLockWaits(t, dsn, 1)
	end()
	require.Eventually(t, func() bool { return errors.Is(tx.Commit(), sql.ErrTxDone) }, waitTimeout, pollInterval, "no rollback")
	require.Empty(t, done)
	require.NoError(t, first.Commit(t.Context()))
	require.NoError(t, <-done)
	require.NoError(t, db.PingContext(t.Context()), "the rollback returns the connection")
	require.Equal(t, 1, queryValue[int](t, dsn, "SELECT count(*) FROM apguard_changes"), "the transaction was rolled back")
}

func TestInSQLTx_OtherDriver(t *testing.T) {
	t.Parallel()
	db, err := sql.Open("sqlite", ":memory:")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	_, err = postgres.InSQLTx(beginSQL(t, db, nil)).Groups(t.Context(), 1)
	require.ErrorIs(t, err, postgres.ErrDriver)
	require.ErrorContains(t, err, "postgres: groups: ")
}
