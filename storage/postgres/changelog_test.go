package postgres_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/postgres"
)

// A query that merges ranges is planned once, however often it runs. Other statements are planned
// as the server likes.
func TestChanges_PlannedOnce(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	store := open(t, withParameter(t, dsn, "pool_max_conns", "1"))
	for range 3 {
		_, err := store.Changes(t.Context(), asset.ListChangesRequest{Filter: asset.ChangeFilter{Type: asset.TypeURL}, Limit: 10})
		require.NoError(t, err)
	}
	var generic, custom int
	require.NoError(t, postgres.Pool(store).QueryRow(t.Context(),
		"SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE statement LIKE '%UNION ALL%apguard_changes%'").Scan(&generic, &custom))
	require.Equal(t, []int{3, 0}, []int{generic, custom})
	require.Equal(t, "auto", planCacheMode(t, postgres.Pool(store)))

	tx := begin(t, dsn, pgx.ReadCommitted)
	_, err := postgres.InTx(tx).Changes(t.Context(), asset.ListChangesRequest{Filter: asset.ChangeFilter{Type: asset.TypeURL}, Limit: 10})
	require.NoError(t, err)
	require.Equal(t, "auto", planCacheMode(t, tx), "the plans of the host application stay as they are")
}

func planCacheMode(t *testing.T, on interface {
	QueryRow(ctx context.Context, query string, args ...any) pgx.Row
}) (mode string) {
	t.Helper()
	require.NoError(t, on.QueryRow(t.Context(), "SHOW plan_cache_mode").Scan(&mode))
	return mode
}
