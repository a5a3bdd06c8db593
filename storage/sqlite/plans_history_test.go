//go:build cgo

package sqlite_test

import (
	"database/sql"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage/sqlite"
)

// A page of the feed is read from its beginning to its end, and no change before it.
func plansOfTheFeed(t *testing.T, databases map[string]*sql.DB) {
	t.Helper()
	page, err := sqlite.FeedStatement(700)
	require.NoError(t, err)
	for kind, reader := range databases {
		plan := planOf(t, page, reader)
		require.Contains(t, plan, "SEARCH c USING INTEGER PRIMARY KEY (rowid>?)", kind)
		require.Contains(t, plan, "SEARCH a USING INTEGER PRIMARY KEY (rowid=?)", kind)
		require.NotContains(t, plan, "SCAN ", kind)
		require.NotContains(t, plan, "TEMP B-TREE", kind)

		// sqlite_sequence and the identity have no more rows than there are tables.
		require.NotContains(t, planOf(t, sqlite.FeedStateStatement(), reader), "apguard_changes", kind)
	}
}

// What an asset was is found by two look-ups.
func plansOfThePast(t *testing.T, databases map[string]*sql.DB) {
	t.Helper()
	statement, err := sqlite.StatusesAtStatement([]int64{7, 8}, time.UnixMilli(7))
	require.NoError(t, err)
	for kind, reader := range databases {
		plan := planOf(t, statement, reader)
		require.Contains(t, plan, "SEARCH a USING INTEGER PRIMARY KEY ", kind)
		require.Contains(t, plan, "SEARCH c USING INDEX apguard_changes_asset (asset_id=? AND changed_at<?)", kind)
		require.Contains(t, plan, "SEARCH c USING INDEX apguard_changes_asset (asset_id=?)", kind)
		require.NotContains(t, plan, "SCAN c", kind)
		require.NotContains(t, plan, "SCAN a", kind)
		require.NotContains(t, plan, "TEMP B-TREE", kind)
	}
}
