//go:build cgo

package sqlite_test

import (
	"database/sql"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage/sqlite"
)

// A page of the feed reads no change before its start.
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

		// sqlite_sequence has one row for each table.
		require.NotContains(t, planOf(t, sqlite.FeedStateStatement(), reader), "apguard_changes", kind)
	}
}

// A status at a time takes two lookups.
func plansOfHistory(t *testing.T, databases map[string]*sql.DB) {
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
