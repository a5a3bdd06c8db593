//go:build cgo

package sqlite_test

import (
	"database/sql"
	"strings"
	"testing"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/storage/internal/test/plantest"
	"github.com/apguard/apguard/storage/sqlite"
)

// fillDisputes inserts 6,000 disputes of 100 assets by 1,000 addresses. One in a hundred is
// OPEN.
func fillDisputes(t *testing.T, store *sqlite.Store) {
	t.Helper()
	writer, _ := sqlite.Pools(store)
	_, err := writer.ExecContext(t.Context(), `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 6000)
		INSERT INTO apguard_disputes (asset_id, content, email, email_key, description, state, assignee, created_at, updated_at)
		SELECT 1 + (n + n / 1000) % 100, '', '', 'key ' || (n * 7 % 1000), '', iif(n % 100, 'REJECTED', 'OPEN'), iif(n % 100, n % 50, 0), n, n FROM numbers;
		INSERT INTO apguard_dispute_events (dispute_id, state, happened_at) SELECT id, state, created_at FROM apguard_disputes`)
	require.NoError(t, err)
}

// The events of disputes are read in order. Every page of disputes is read from an index in order. It
// reads at most the rows of one page for each state, however many disputes there are.
func testDisputePlans(t *testing.T, databases map[string]*sql.DB) {
	t.Helper()
	requireSearch(t, databases, map[string]squirrel.SelectBuilder{
		"SEARCH e USING INTEGER PRIMARY KEY (rowid>?) ":                          sqlite.Dialect().DisputeEvents(3000, 100),
		"SEARCH apguard_disputes USING INDEX apguard_disputes_state (<expr>=?) ": sqlite.Dialect().DisputeBacklog(),
	})
	columns := map[string]string{
		"apguard_disputes_state":       " (<expr>=?",
		"apguard_disputes_asset":       " (asset_id=? AND state=?",
		"apguard_disputes_email":       " (email_key=? AND state=?",
		"apguard_disputes_assignee":    " (assignee=? AND state=?",
		"apguard_disputes_asset_email": " (asset_id=? AND email_key=?)",
	}
	for name, list := range plantest.DisputeLists() {
		for page, cursor := range map[string]dispute.Cursor{"first page": {}, "later page": {At: time.UnixMilli(70), ID: 70}} {
			for _, oldestFirst := range []bool{false, true} {
				statement := plantest.Build(t, sqlite.Dialect().Disputes(dispute.ListRequest{
					Filter: list.Filter, Cursor: cursor, OldestFirst: oldestFirst, Limit: dispute.MaxLimit,
				}))
				for kind, reader := range databases {
					plan := explain(t, reader, statement)
					require.NotRegexp(t, "SCAN (i|apguard_disputes) ", plan, "%s, %s, %s", name, page, kind)
					parts := strings.Split(plan, "SEARCH apguard_disputes ")[1:]
					require.Len(t, parts, list.Parts, "%s, %s, %s", name, page, kind)
					for _, part := range parts {
						// The steps after SCAN sort the rows of the page.
						part, _, _ = strings.Cut(part, "SCAN part")
						require.Contains(t, part, "USING INDEX "+list.Index+columns[list.Index], "%s, %s, %s", name, page, kind)
						require.NotContains(t, part, "TEMP B-TREE", "%s, %s, %s", name, page, kind)
					}
				}
			}
		}
	}
}
