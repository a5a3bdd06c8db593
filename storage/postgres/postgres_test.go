package postgres_test

import (
	"context"
	"crypto/rand"
	"errors"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/sqlstore"
	"github.com/apguard/apguard/storage/postgres"
	"github.com/apguard/apguard/storage/storagetest"
)

// serverVariable names the server that the tests use.
const serverVariable = "APGUARD_TEST_POSTGRES"

const skipped = "PostgreSQL tests are skipped: set " + serverVariable +
	" to the URL of a server, such as postgres://postgres@127.0.0.1:5432/test"

func TestStore(t *testing.T) {
	t.Parallel()
	// What a crash leaves is not looked at here.
	dsn := with(t, database(t), "synchronous_commit", "off")
	migrated(t, dsn)
	storagetest.Run(t, func(t *testing.T) storage.Store {
		t.Helper()
		execute(t, dsn, emptying())
		return open(t, dsn)
	})
}

// The suite on a transaction of the host.
func TestStoreInTx(t *testing.T) {
	t.Parallel()
	const (
		alone  = "a transaction is for one goroutine at a time"
		failed = "a transaction in which a call has failed cannot be used any more"
	)
	dsn := with(t, database(t), "synchronous_commit", "off")
	migrated(t, dsn)
	connection := connect(t, dsn)
	storagetest.Run(t, func(t *testing.T) storage.Store {
		t.Helper()
		execute(t, dsn, emptying())
		tx, err := connection.Begin(t.Context())
		require.NoError(t, err)
		return rolledBack{postgres.InTx(tx), tx}
	},
		storagetest.OptOut{Name: "Concurrency", Reason: alone},
		storagetest.OptOut{Name: "Groups/no ID above 2^53-1 is assigned", Reason: failed},
		storagetest.OptOut{Name: "Import/no ID above 2^53-1 is assigned", Reason: failed},
		storagetest.OptOut{Name: "Interruption", Reason: failed},
		storagetest.OptOut{Name: "Closed", Reason: "closing the store does nothing, as the transaction is the host's"})
}

// rolledBack is a store in a transaction that ends when it is closed.
type rolledBack struct {
	storage.Store
	tx pgx.Tx
}

func (r rolledBack) Close() error {
	err := r.tx.Rollback(context.Background())
	if errors.Is(err, pgx.ErrTxClosed) {
		return nil
	}
	return err
}

// migrated makes the tables.
func migrated(tb testing.TB, dsn string) {
	tb.Helper()
	store, err := postgres.Open(tb.Context(), dsn, postgres.Options{})
	require.NoError(tb, err)
	require.NoError(tb, store.Close())
}

// emptying is what makes a schema as it was when it was new, which is faster than
// to make a new one.
func emptying() string {
	var statements strings.Builder
	for _, table := range slices.Backward(sqlstore.Tables()) {
		statements.WriteString("DELETE FROM " + table + ";")
	}
	for _, table := range []string{"groups", "assets", "changes", "disputes", "reports", "proposals", "reviews"} {
		statements.WriteString("ALTER TABLE apguard_" + table + " ALTER COLUMN id RESTART;")
	}
	return statements.String()
}

// open opens a store that is closed at the end of the test.
func open(tb testing.TB, dsn string) *postgres.Store {
	tb.Helper()
	store, err := postgres.Open(tb.Context(), dsn, postgres.Options{})
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, store.Close()) })
	return store
}

// database makes an empty schema of the test's own, and returns the connection
// string with which it is the only one. Connections have its name.
func database(tb testing.TB) string {
	tb.Helper()
	server := os.Getenv(serverVariable)
	if server == "" {
		tb.Skip(skipped)
	}
	name := "apguard_test_" + strings.ToLower(rand.Text())
	execute(tb, server, "CREATE SCHEMA "+name)
	tb.Cleanup(func() { execute(tb, server, "DROP SCHEMA "+name+" CASCADE") })
	return with(tb, with(tb, server, "search_path", name), "application_name", name)
}

// with returns the connection string with one more parameter.
func with(tb testing.TB, dsn, parameter, value string) string {
	tb.Helper()
	parsed, err := url.Parse(dsn)
	require.NoError(tb, err)
	parameters := parsed.Query()
	parameters.Set(parameter, value)
	parsed.RawQuery = parameters.Encode()
	return parsed.String()
}

// connect opens a connection that is closed at the end of the test.
func connect(tb testing.TB, dsn string) *pgx.Conn {
	tb.Helper()
	ctx := context.WithoutCancel(tb.Context())
	connection, err := pgx.Connect(ctx, dsn)
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, connection.Close(ctx)) })
	return connection
}

// execute runs statements on a connection of their own.
func execute(tb testing.TB, dsn, statements string) {
	tb.Helper()
	ctx := context.WithoutCancel(tb.Context())
	connection, err := pgx.Connect(ctx, dsn)
	require.NoError(tb, err)
	_, err = connection.Exec(ctx, statements)
	require.NoError(tb, err)
	require.NoError(tb, connection.Close(ctx))
}

// single returns the one value that the query finds, on a connection of its own.
func single[T any](tb testing.TB, dsn, query string, args ...any) T {
	tb.Helper()
	ctx := context.WithoutCancel(tb.Context())
	connection, err := pgx.Connect(ctx, dsn)
	require.NoError(tb, err)
	var value T
	require.NoError(tb, connection.QueryRow(ctx, query, args...).Scan(&value))
	require.NoError(tb, connection.Close(ctx))
	return value
}
