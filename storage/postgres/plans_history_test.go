package postgres_test

import (
	"testing"

	"github.com/Masterminds/squirrel"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/internal/test/plantest"
	"github.com/apguard/apguard/storage/postgres"
)

// fillChanges inserts 20,000 changes of 500 assets.
const fillChanges = `
	INSERT INTO apguard_assets (type, identity_hash, canonical, status)
		SELECT 0, sha256(('c' || n)::BYTEA), 'c' || n, 1 FROM generate_series(1, 500) n;
	INSERT INTO apguard_changes (id, asset_id, type, from_status, to_status, changed_at, cause, actor, reference)
		SELECT nextval('apguard_changes_id_seq'), 1 + n % 500, 0, 0, 2, n * 10, 4, 0, '' FROM generate_series(1, 20000) n;
	INSERT INTO apguard_feed (first_change, changes) SELECT id, 1 FROM apguard_changes;
	` + analyze

// The feed is read from the index of its positions, and rows without a position are found in it,
// even if the statistics of the server are wrong.
func TestPlans_Feed(t *testing.T) {
	t.Parallel()
	const assignAll, clearAll = "UPDATE apguard_feed SET position = (first_change + 999) / 1000;", "UPDATE apguard_feed SET position = 0;"
	for name, state := range map[string]string{
		"no follower":                       "",
		"all changes have positions":        assignAll + analyze,
		"nearly all changes have positions": "UPDATE apguard_feed SET position = (first_change + 999) / 1000 WHERE first_change <= 19900000;" + analyze,
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
				page := plantest.Build(t, postgres.Dialect().Feed.Since(position, asset.MaxLimit).PlaceholderFormat(squirrel.Dollar))
				for _, plan := range []string{explain(t.Context(), t, on, page), explainPrepared(t.Context(), t, on, page)} {
					require.Contains(t, plan, "using apguard_feed_position on apguard_feed f")
					require.Contains(t, plan, "using apguard_changes_pkey")
					require.NotContains(t, plan, "Seq Scan on apguard_feed")
					require.NotContains(t, plan, "Seq Scan on apguard_changes")
				}
			}
			for _, statement := range []plantest.Statement{
				{SQL: postgres.Dialect().Feed.State}, {SQL: postgres.Dialect().Feed.Due}, postgres.AssignPositionsStatement(asset.PublishLimit),
			} {
				require.Contains(t, explain(t.Context(), t, on, statement), "using apguard_feed_position on apguard_feed u")
			}
		})
	}
}
