//go:build cgo

package sqlite_test

import (
	"database/sql"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/internal/test/plantest"
	"github.com/apguard/apguard/storage/sqlite"
)

// A page of the feed reads no change before its start.
func testFeedPlans(t *testing.T, databases map[string]*sql.DB) {
	t.Helper()
	page := plantest.Build(t, sqlite.Dialect().Feed.Since(700, asset.MaxLimit))
	state := plantest.Statement{SQL: sqlite.Dialect().Feed.State}
	for kind, reader := range databases {
		plan := explain(t, reader, page)
		require.Contains(t, plan, "SEARCH c USING INTEGER PRIMARY KEY (rowid>?)", kind)
		require.Contains(t, plan, "SEARCH a USING INTEGER PRIMARY KEY (rowid=?)", kind)
		require.NotContains(t, plan, "SCAN ", kind)
		require.NotContains(t, plan, "TEMP B-TREE", kind)

		// sqlite_sequence has one row for each table.
		require.NotContains(t, explain(t, reader, state), "apguard_changes", kind)
	}
}
