package postgres_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/internal/plantest"
	"github.com/apguard/apguard/storage/postgres"
)

// fillChanges inserts 20,000 changes of 500 assets.
const fillChanges = `
	INSERT INTO apguard_assets (type, identity_hash, canonical, status)
		SELECT 0, sha256(('c' || n)::BYTEA), 'c' || n, 1 FROM generate_series(1, 500) n;
	INSERT INTO apguard_changes (asset_id, type, from_status, to_status, changed_at, cause, actor, reference)
		SELECT 1 + n % 500, 0, 0, 2, n * 10, 4, 0, '' FROM generate_series(1, 20000) n;
	` + analyze

// The feed is read from the index of its positions, and changes without a position are found
// in another index, even if the statistics of the server are wrong.
func TestPlans_Feed(t *testing.T) {
	t.Parallel()
	const assignAll, clearAll = "UPDATE apguard_changes SET feed_position = id;", "UPDATE apguard_changes SET feed_position = 0;"
	for name, state := range map[string]string{
		"no follower":                       "",
		"all changes have positions":        assignAll + analyze,
		"nearly all changes have positions": "UPDATE apguard_changes SET feed_position = id WHERE id <= 19900;" + analyze,
		"more than the statistics":          assignAll,
		"less than the statistics":          assignAll + analyze + ";" + clearAll,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dsn := newDatabase(t)
			migrate(t, dsn)
			execute(t, dsn, fillChanges)
			execute(t, dsn, state)
			on := connect(t, dsn)
			for _, position := range []int64{0, 15_000} {
				page := plantest.Build(t, postgres.Dialect().Since(position, asset.MaxLimit))
				for _, plan := range []string{explain(t.Context(), t, on, page), explainPrepared(t.Context(), t, on, page)} {
					require.Contains(t, plan, "using apguard_changes_feed")
					require.NotContains(t, plan, "Seq Scan on apguard_changes")
					require.NotContains(t, plan, "Sort")
				}
			}
			for _, statement := range []plantest.Statement{
				{SQL: postgres.Dialect().Feed.State}, {SQL: postgres.Dialect().Feed.Due}, postgres.AssignPositionsStatement(asset.PublishLimit),
			} {
				require.Contains(t, explain(t.Context(), t, on, statement), "using apguard_changes_without_position")
			}
		})
	}
}
