package postgres_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage/internal/sqlstore"
	"github.com/apguard/apguard/storage/postgres"
)

// A migration inserts its version. This fails if another process has applied the migration
// concurrently.
func TestMigrate_AppliesVersionOnce(t *testing.T) {
	t.Parallel()
	host := newPool(t, newDatabase(t))
	require.NoError(t, postgres.Migrate(t.Context(), host))
	_, err := host.Exec(t.Context(), "INSERT INTO apguard_schema_version (version_id, is_applied) VALUES (1, TRUE)")
	require.ErrorContains(t, err, "23505")
}

func TestMigrations_Names(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	migrate(t, dsn)
	tables := queryValue[[]string](t, dsn, `SELECT array_agg(c.relname::TEXT ORDER BY c.oid) FROM pg_class c
		WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'`)
	require.Equal(t, append(append([]string{"apguard_schema_version"}, sqlstore.Tables()...), "apguard_locks", "apguard_store", "apguard_pruned", "apguard_feed", "apguard_dispute_queue", "apguard_rules"), tables)
	others := queryValue[[]string](t, dsn, `SELECT array_agg(c.relname::TEXT) FROM pg_class c
		WHERE c.relnamespace = current_schema()::regnamespace`)
	for _, name := range others {
		require.True(t, strings.HasPrefix(name, "apguard_"), name)
	}
}
