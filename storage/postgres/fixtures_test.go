package postgres_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/internal/test/postgrestest"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/sqlstore"
	"github.com/apguard/apguard/storage/postgres"
	"github.com/apguard/apguard/storage/storagetest"
)

// The databases of the tests are those of package postgrestest.
var (
	newDatabase   = postgrestest.NewDatabase
	withParameter = postgrestest.WithParameter
	execute       = postgrestest.Execute
)

func TestStore(t *testing.T) {
	t.Parallel()
	dsn := withParameter(t, newDatabase(t), "synchronous_commit", "off")
	migrate(t, dsn)
	storagetest.Run(t, func(t *testing.T) storage.Store {
		t.Helper()
		execute(t, dsn, resetStatements())
		return open(t, dsn)
	}, testsize.OfShort(storagetest.Brief(), nil)...)
}

// migrate creates the tables.
func migrate(tb testing.TB, dsn string) {
	tb.Helper()
	store, err := postgres.Open(tb.Context(), dsn, postgres.Options{})
	require.NoError(tb, err)
	require.NoError(tb, store.Close())
}

// resetStatements returns statements that empty all tables and restart their IDs. This is
// faster than a new schema.
func resetStatements() string {
	var statements strings.Builder
	for _, table := range slices.Backward(sqlstore.Tables()) {
		statements.WriteString("DELETE FROM " + table + ";")
	}
	for _, table := range []string{"groups", "assets", "disputes", "reports", "proposals", "reviews", "webhooks", "lists", "pending", "audit"} {
		statements.WriteString("ALTER TABLE apguard_" + table + " ALTER COLUMN id RESTART;")
	}
	statements.WriteString("DELETE FROM apguard_feed; ALTER SEQUENCE apguard_changes_id_seq RESTART;")
	statements.WriteString("DELETE FROM apguard_dispute_queue; UPDATE apguard_store SET last_dispute_event = 0;")
	return statements.String()
}

// open opens a store that is closed at the end of the test.
func open(tb testing.TB, dsn string) *postgres.Store {
	tb.Helper()
	if !strings.Contains(dsn, "pool_max_conns") {
		dsn = withParameter(tb, dsn, "pool_max_conns", "10") // tests run at the same time, and a server has 100
	}
	store, err := postgres.Open(tb.Context(), dsn, postgres.Options{})
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, store.Close()) })
	return store
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

// queryValue returns the only value of a query, on a new connection.
func queryValue[T any](tb testing.TB, dsn, query string, args ...any) T {
	tb.Helper()
	ctx := context.WithoutCancel(tb.Context())
	connection, err := pgx.Connect(ctx, dsn)
	require.NoError(tb, err)
	var value T
	require.NoError(tb, connection.QueryRow(ctx, query, args...).Scan(&value))
	require.NoError(tb, connection.Close(ctx))
	return value
}

// setStatus sets the status of an asset.
func setStatus(ctx context.Context, store storage.Store, canonical string, status asset.Status) error {
	_, err := store.SetAssetStatuses(ctx, asset.SetStatusesCommand{
		Items:  []asset.StatusItem{{Identity: asset.Identity{Type: asset.TypeURL, Canonical: canonical}, Status: status}},
		Origin: asset.Origin{Cause: asset.CauseManual},
		At:     time.UnixMilli(5),
	})
	return err
}

// block blocks an asset.
func block(ctx context.Context, store storage.Store, canonical string) error {
	return setStatus(ctx, store, canonical, asset.StatusBlocked)
}

// disputeCommand returns a command that creates a dispute and registers its asset.
func disputeCommand(canonical string) dispute.CreateCommand {
	return dispute.CreateCommand{
		Identity: asset.Identity{Type: asset.TypeURL, Canonical: canonical},
		Content:  canonical, Register: true, Email: "ada@acme.test", EmailKey: "ada@acme.test",
	}
}

// awaitLockWaits waits until n connections of the test wait for a lock.
func awaitLockWaits(t *testing.T, dsn string, n int) {
	t.Helper()
	watch := connect(t, dsn)
	require.Eventually(t, func() bool {
		var found int
		err := watch.QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity
			WHERE application_name = current_setting('application_name') AND wait_event_type = 'Lock'`).Scan(&found)
		return err == nil && found == n
	}, waitTimeout, pollInterval, "no lock wait")
}
