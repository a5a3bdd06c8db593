package postgres_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage/postgres"
)

// followable is 500 assets with 20,000 changes.
const followable = `
	INSERT INTO apguard_assets (type, canonical_hash, canonical, status)
		SELECT 'URL', sha256(('c' || n)::BYTEA), 'c' || n, 'ALLOWED' FROM generate_series(1, 500) n;
	INSERT INTO apguard_changes (asset_id, type, from_status, to_status, changed_at, cause, actor, reference)
		SELECT 1 + n % 500, 'URL', 'UNKNOWN', 'BLOCKED', n * 10, 'manual', 0, '' FROM generate_series(1, 20000) n;
	` + analyze

// The feed is read along its index, and what is not in it yet is found along another
// one, whatever the server believes there is of each.
func TestPlans_Feed(t *testing.T) {
	t.Parallel()
	const follow, forget = "UPDATE apguard_changes SET feed_position = id;", "UPDATE apguard_changes SET feed_position = 0;"
	for name, state := range map[string]string{
		"no follower yet":                 "",
		"all was followed":                follow + analyze,
		"nearly all was followed":         "UPDATE apguard_changes SET feed_position = id WHERE id <= 19900;" + analyze,
		"more was followed than it knows": follow,
		"less was followed than it knows": follow + analyze + ";" + forget,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dsn := database(t)
			migrated(t, dsn)
			execute(t, dsn, followable)
			execute(t, dsn, state)
			on := connect(t, dsn)
			for _, position := range []int64{0, 15_000} {
				page, err := postgres.FeedStatement(position)
				require.NoError(t, err)
				for _, plan := range []string{explain(t.Context(), t, on, page), explainPrepared(t.Context(), t, on, page)} {
					require.Contains(t, plan, "using apguard_changes_feed")
					require.NotContains(t, plan, "Seq Scan on apguard_changes")
					require.NotContains(t, plan, "Sort")
				}
			}
			plan := explain(t.Context(), t, on, postgres.FeedStateStatement())
			require.Contains(t, plan, "using apguard_changes_without_position")
			plan = explain(t.Context(), t, on, postgres.AssignPositionsStatement(0, 1000))
			require.Contains(t, plan, "using apguard_changes_without_position", "to give positions")
		})
	}
}

// What an asset was is found by two look-ups.
func TestPlans_History(t *testing.T) {
	t.Parallel()
	for name, data := range map[string]string{"even": followable, "skewed": skewed} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dsn := database(t)
			migrated(t, dsn)
			execute(t, dsn, data)
			statement, err := postgres.StatusesAtStatement([]int64{7, 8, 9}, time.UnixMilli(150_000))
			require.NoError(t, err)
			plan := explain(t.Context(), t, connect(t, dsn), statement)
			require.Contains(t, plan, "Backward using apguard_changes_asset")
			require.Contains(t, plan, "Scan using apguard_changes_asset")
			require.NotContains(t, plan, "Seq Scan on apguard_changes")
			require.NotContains(t, plan, "Sort")
		})
	}
}
