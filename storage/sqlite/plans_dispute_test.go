//go:build cgo

package sqlite_test

import (
	"database/sql"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/storage/sqlite"
)

// fillDisputes inserts 6,000 disputes of 100 assets by 1,000 addresses. One in a hundred is
// OPEN.
func fillDisputes(t *testing.T, store *sqlite.Store) {
	t.Helper()
	writer, _ := sqlite.Pools(store)
	_, err := writer.ExecContext(t.Context(), `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 6000)
		INSERT OR IGNORE INTO apguard_disputes (asset_id, content, email, email_key, description, state, created_at, updated_at)
		SELECT 1 + n % 100, '', '', 'key ' || (n * 7 % 1000), '', iif(n % 100, 'REJECTED', 'OPEN'), n, n FROM numbers`)
	require.NoError(t, err)
}

// plansOfDisputes requires that every page of disputes is read from an index in order, so that
// it reads at most the rows of one page for each state, however many disputes there are.
func plansOfDisputes(t *testing.T, databases map[string]*sql.DB) {
	t.Helper()
	var (
		one      = asset.Identity{Type: asset.TypeURL, Canonical: "https://0-1.example"}
		rare     = []dispute.State{dispute.StateOpen}
		several  = []dispute.State{dispute.StateOpen, dispute.StateRejected}
		period   = asset.Period{Since: time.UnixMilli(5), Before: time.UnixMilli(90)}
		oneEmail = "key 7"
	)
	for name, test := range map[string]struct {
		filter dispute.Filter
		index  string
		parts  int
	}{
		"all":                            {dispute.Filter{}, "apguard_disputes_state (<expr>=?", 5},
		"a period":                       {dispute.Filter{Created: period}, "apguard_disputes_state (<expr>=?", 5},
		"a state":                        {dispute.Filter{States: rare}, "apguard_disputes_state (<expr>=?", 1},
		"several states":                 {dispute.Filter{States: several}, "apguard_disputes_state (<expr>=?", 2},
		"a state and a period":           {dispute.Filter{States: rare, Created: period}, "apguard_disputes_state (<expr>=?", 1},
		"an asset":                       {dispute.Filter{Identity: one}, "apguard_disputes_asset (asset_id=? AND state=?", 5},
		"an asset and a period":          {dispute.Filter{Identity: one, Created: period}, "apguard_disputes_asset (asset_id=? AND state=?", 5},
		"an asset and states":            {dispute.Filter{Identity: one, States: several}, "apguard_disputes_asset (asset_id=? AND state=?", 2},
		"an address":                     {dispute.Filter{Email: oneEmail}, "apguard_disputes_email (email_key=? AND state=?", 5},
		"an address, a period":           {dispute.Filter{Email: oneEmail, Created: period}, "apguard_disputes_email (email_key=? AND state=?", 5},
		"an address and states":          {dispute.Filter{Email: oneEmail, States: several}, "apguard_disputes_email (email_key=? AND state=?", 2},
		"an asset, a state and a period": {dispute.Filter{Identity: one, States: rare, Created: period}, "apguard_disputes_asset (asset_id=? AND state=?", 1},
		"an address, a state, a period":  {dispute.Filter{Email: oneEmail, States: rare, Created: period}, "apguard_disputes_email (email_key=? AND state=?", 1},
		"an asset, an address":           {dispute.Filter{Identity: one, Email: oneEmail}, "apguard_disputes_asset_email (asset_id=? AND email_key=?)", 1},
		"everything that can be":         {dispute.Filter{Identity: one, Email: oneEmail, States: several, Created: period}, "apguard_disputes_asset_email (asset_id=? AND email_key=?)", 1},
	} {
		for page, cursor := range map[string]dispute.Cursor{"first page": {}, "later page": {At: time.UnixMilli(70), ID: 70}} {
			for _, oldestFirst := range []bool{false, true} {
				statement, err := sqlite.DisputesStatement(dispute.ListRequest{
					Filter: test.filter, Cursor: cursor, OldestFirst: oldestFirst, Limit: dispute.MaxLimit,
				})
				require.NoError(t, err)
				for kind, reader := range databases {
					plan := planOf(t, statement, reader)
					require.NotRegexp(t, "SCAN (i|apguard_disputes) ", plan, "%s, %s, %s", name, page, kind)
					parts := strings.Split(plan, "SEARCH apguard_disputes ")[1:]
					require.Len(t, parts, test.parts, "%s, %s, %s", name, page, kind)
					for _, part := range parts {
						// The steps after SCAN sort the rows of the page.
						part, _, _ = strings.Cut(part, "SCAN part")
						require.Contains(t, part, "USING INDEX "+test.index, "%s, %s, %s", name, page, kind)
						require.NotContains(t, part, "TEMP B-TREE", "%s, %s, %s", name, page, kind)
					}
				}
			}
		}
	}
}
