//go:build cgo

package sqlite_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage/sqlite"
)

// largeDatabases returns readers of two databases that hold some thousand rows, in one of
// which a host has run ANALYZE, which lets SQLite choose other plans.
func largeDatabases(t *testing.T) map[string]*sql.DB {
	t.Helper()
	plain, analysed := open(t, newFile(t)), open(t, newFile(t))
	for _, store := range []*sqlite.Store{plain, analysed} {
		for i := range 2 {
			_, err := store.AddToAllowlist(t.Context(), adding(strconv.Itoa(i), 1000))
			require.NoError(t, err)
		}
		names := make([]string, 1000)
		for i := range names {
			names[i] = fmt.Sprintf("0-%d", i)
		}
		for range 2 {
			_, err := store.FileReport(t.Context(), filing(names...))
			require.NoError(t, err)
		}
		for user := range int64(300) {
			require.NoError(t, store.PutUser(t.Context(), account.User{ID: user + 1}))
			organization := account.Organization{ID: user + 1, Slug: fmt.Sprintf("slug-%d", user+1)}
			require.NoError(t, store.PutOrganization(t.Context(), organization))
			require.NoError(t, store.PutKey(t.Context(), account.Key{Hash: account.HashKey(organization.Slug), OrganizationID: user/30 + 1}))
		}
		fillDisputes(t, store)
		writer, _ := sqlite.Pools(store)
		_, err := writer.ExecContext(t.Context(), `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 3000)
			INSERT INTO apguard_reports (organization_id, title, title_fold, description, description_fold, status, brand_id,
				reporter_id, created_at, updated_at)
			SELECT n % 2 + 1, '', '', '', '', iif(n % 100, 'TODO', 'CLOSED'), n % 7, n % 300 + 1, n, n FROM numbers`)
		require.NoError(t, err)
		_, err = writer.ExecContext(t.Context(), `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 3000)
			INSERT INTO apguard_reviews (proposal_id, status, weight, reviewed_by, reviewed_at, comment, change_id, withdrawn_by, withdrawn_at, withdrawn_reason)
			SELECT iif(n % 3, 7, n % 2000 + 1), 'SKIP', 1, n % 300, n, '', 0, 0, 0, '' FROM numbers`)
		require.NoError(t, err)
	}
	writer, _ := sqlite.Pools(analysed)
	_, err := writer.ExecContext(t.Context(), "ANALYZE")
	require.NoError(t, err)
	_, made := sqlite.Pools(plain)
	_, known := sqlite.Pools(analysed)
	return map[string]*sql.DB{asMade: made, "analysed": known}
}

// asMade is the kind of database that the store makes by itself.
const asMade = "as the store makes it"

func TestPlans(t *testing.T) {
	t.Parallel()
	databases := largeDatabases(t)
	for name, plans := range map[string]func(*testing.T, map[string]*sql.DB){
		"changes":                 plansOfChanges,
		"pruning":                 plansOfPruning,
		"accounts":                plansOfAccounts,
		"allowing organizations":  plansOfAllowing,
		"reviews":                 plansOfReviews,
		"every filter of reports": plansOfEveryFilterOfReports,
		"disputes":                plansOfDisputes,
		"the feed":                plansOfTheFeed,
		"history":                 plansOfHistory,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plans(t, databases)
		})
	}
}

// Every page of the changelog is read along an index, in order: no page needs the
// whole table, nor sorts.
func plansOfChanges(t *testing.T, databases map[string]*sql.DB) {
	t.Helper()
	var (
		identity = asset.Identity{Type: asset.TypeURL, Canonical: "https://a.example"}
		period   = asset.Period{Since: time.UnixMilli(5), Before: time.UnixMilli(9)}
	)
	for name, test := range map[string]struct {
		filter asset.ChangeFilter
		index  string
	}{
		"all":                    {asset.ChangeFilter{}, "apguard_changes_time"},
		"a type":                 {asset.ChangeFilter{Type: asset.TypeURL}, "apguard_changes_type"},
		"a period":               {asset.ChangeFilter{Period: period}, "apguard_changes_time"},
		"an old status":          {asset.ChangeFilter{From: asset.StatusUnknown}, "apguard_changes_from"},
		"a new status":           {asset.ChangeFilter{To: asset.StatusAllowed}, "apguard_changes_to"},
		"a type and old status":  {asset.ChangeFilter{Type: asset.TypeURL, From: asset.StatusUnknown}, "apguard_changes_type_from"},
		"a type and new status":  {asset.ChangeFilter{Type: asset.TypeURL, To: asset.StatusAllowed}, "apguard_changes_type_to"},
		"a type and statuses":    {asset.ChangeFilter{Type: asset.TypeURL, From: asset.StatusUnknown, To: asset.StatusAllowed}, "apguard_changes_type_from_to"},
		"a type and period":      {asset.ChangeFilter{Type: asset.TypeURL, Period: period}, "apguard_changes_type"},
		"a period and status":    {asset.ChangeFilter{Period: period, To: asset.StatusAllowed}, "apguard_changes_to"},
		"both statuses":          {asset.ChangeFilter{From: asset.StatusUnknown, To: asset.StatusAllowed}, "apguard_changes_from_to"},
		"an asset":               {asset.ChangeFilter{Identity: identity}, "apguard_changes_asset"},
		"an asset and a type":    {asset.ChangeFilter{Identity: identity, Type: asset.TypeURL}, "apguard_changes_asset"},
		"an asset and statuses":  {asset.ChangeFilter{Identity: identity, From: asset.StatusUnknown, To: asset.StatusAllowed}, "apguard_changes_asset"},
		"an asset and a period":  {asset.ChangeFilter{Identity: identity, Period: period}, "apguard_changes_asset"},
		"everything that can be": {asset.ChangeFilter{Type: asset.TypeURL, Identity: identity, From: asset.StatusUnknown, To: asset.StatusAllowed, Period: period}, "apguard_changes_asset"},
	} {
		for page, after := range map[string]asset.ChangeCursor{
			"first page": {},
			"later page": {At: time.UnixMilli(7), ID: 3},
		} {
			t.Run(name+", "+page, func(t *testing.T) {
				t.Parallel()
				statement, err := sqlite.ChangesStatement(test.filter, after)
				require.NoError(t, err)
				for kind, reader := range databases {
					plan := planOf(t, statement, reader)
					if kind == asMade {
						require.Contains(t, plan, " USING INDEX "+test.index+" ")
					}
					require.Contains(t, plan, " USING INDEX apguard_changes_", kind)
					require.NotContains(t, plan, "SCAN a", kind)
					require.NotContains(t, plan, "TEMP B-TREE", kind)
				}
			})
		}
	}
}

func planOf(t *testing.T, statement sqlite.Statement, reader *sql.DB) string {
	t.Helper()
	steps, err := statement.Plan(t.Context(), reader)
	require.NoError(t, err)
	return strings.Join(steps, " \n") + " "
}

// requireSearched demands of each statement that its plan has the step, goes through no
// table, and sorts nothing.
func requireSearched(t *testing.T, databases map[string]*sql.DB, statements map[*sqlite.Statement]string) {
	t.Helper()
	for kind, reader := range databases {
		for statement, step := range statements {
			plan := planOf(t, *statement, reader)
			require.Contains(t, plan, step, kind)
			require.NotContains(t, plan, "SCAN ", kind)
			require.NotContains(t, plan, "TEMP B-TREE", kind)
		}
	}
}

// A step of pruning reads no more changes than it looks at, and finds whether each
// is the latest of its asset along an index.
func plansOfPruning(t *testing.T, databases map[string]*sql.DB) {
	t.Helper()
	for name, step := range map[string]asset.PruneCommand{
		"the first step": {Before: time.UnixMilli(7), Limit: 10},
		"a later step":   {Before: time.UnixMilli(7), After: asset.ChangeCursor{At: time.UnixMilli(5), ID: 3}, Limit: 10},
	} {
		statement, err := sqlite.OldChangesStatement(step)
		require.NoError(t, err)
		for kind, reader := range databases {
			plan := planOf(t, statement, reader)
			require.Contains(t, plan, "SEARCH c USING INDEX apguard_changes_time ", "%s, %s", name, kind)
			require.Contains(t, plan, "SEARCH n USING COVERING INDEX apguard_changes_asset ", "%s, %s", name, kind)
			require.NotContains(t, plan, "SCAN ", "%s, %s", name, kind)
			require.NotContains(t, plan, "TEMP B-TREE", "%s, %s", name, kind)
		}
	}
}

// Keys and organizations are found and ordered along an index.
func plansOfAccounts(t *testing.T, databases map[string]*sql.DB) {
	t.Helper()
	keys, bySlug, page, err := sqlite.AccountStatements()
	require.NoError(t, err)
	requireSearched(t, databases, map[*sqlite.Statement]string{
		&keys:   "SEARCH apguard_keys USING INDEX apguard_keys_organization ",
		&bySlug: "SEARCH apguard_organizations USING INDEX apguard_organizations_slug ",
		&page:   "SEARCH apguard_organizations USING INTEGER PRIMARY KEY ",
	})
}

// The organizations that allow an asset are found and ordered along an index.
func plansOfAllowing(t *testing.T, databases map[string]*sql.DB) {
	t.Helper()
	statement, err := sqlite.AllowingStatement()
	require.NoError(t, err)
	requireSearched(t, databases, map[*sqlite.Statement]string{
		&statement: "SEARCH apguard_allowlist USING INDEX apguard_allowlist_asset ",
	})
}

// The effective review is the first of an index, however many reviews a proposal
// has, and the last change of an asset is looked for among its own.
func plansOfReviews(t *testing.T, databases map[string]*sql.DB) {
	t.Helper()
	effective, page, lastChange, err := sqlite.ReviewStatements()
	require.NoError(t, err)
	requireSearched(t, databases, map[*sqlite.Statement]string{
		&effective:  "SEARCH apguard_reviews USING INDEX apguard_reviews_weight (proposal_id=? AND weight>?) ",
		&page:       "SEARCH apguard_reviews USING INDEX apguard_reviews_proposal (proposal_id=? AND rowid>?) ",
		&lastChange: "SEARCH c USING COVERING INDEX apguard_changes_asset (asset_id=?) ",
	})
}

func plansOfEveryFilterOfReports(t *testing.T, databases map[string]*sql.DB) {
	t.Helper()
	for name, filter := range map[string]report.Filter{
		"none":                     {},
		"a rare status":            {Status: report.StatusClosed},
		"a frequent status":        {Status: report.StatusTodo},
		"a text":                   {SearchQuery: "a"},
		"a reporter":               {ReporterQuery: "a"},
		"people alone":             {ExcludeAutomation: true},
		"a rejection":              {OnlyRejected: true},
		"one review status":        {ReviewStatuses: []report.ReviewStatus{report.ReviewSkip}},
		"every review status":      {ReviewStatuses: report.ReviewStatuses()},
		"a reviewer":               {ReviewedBy: 1},
		"a period":                 {Created: asset.Period{Since: time.UnixMilli(5), Before: time.UnixMilli(9)}},
		"a period without an end":  {Created: asset.Period{Since: time.UnixMilli(5)}},
		"a period without a start": {Created: asset.Period{Before: time.UnixMilli(5)}},
		"brands":                   {BrandIDs: []int64{1, 2}},
		"a status and a reviewer":  {Status: report.StatusTodo, ReviewedBy: 1},
		"a status and a period":    {Status: report.StatusTodo, Created: asset.Period{Since: time.UnixMilli(5)}},
	} {
		for page, cursor := range map[string]int64{"first page": 0, "later page": 2000} {
			t.Run(name+", "+page, func(t *testing.T) {
				t.Parallel()
				plansOfFilter(t, databases, report.ListRequest{Scope: report.InOrganization(1), Filter: filter, Cursor: cursor, Limit: 100},
					"SEARCH r USING INDEX apguard_reports_organization")
				any := report.ListRequest{Scope: report.AnyOrganization(), Filter: filter, Cursor: cursor, Limit: 100}
				if filter.Status == "" {
					plansOfFilter(t, databases, any, "SEARCH r USING INTEGER PRIMARY KEY (rowid<?)")
				} else {
					plansOfFilter(t, databases, any, "SEARCH r USING INDEX apguard_reports_status (status=? AND rowid<?)")
				}
			})
		}
	}
}

// plansOfFilter demands that a page is read by ID along an index, as the plan of the step
// says, and that its blocks are found along indexes.
func plansOfFilter(t *testing.T, databases map[string]*sql.DB, req report.ListRequest, step string) {
	t.Helper()
	block, ok, err := sqlite.ReportBlockStatement(req, 20_000)
	require.NoError(t, err)
	if ok && req.Cursor == 0 {
		req.Cursor = 8_192 // the end of a block
	}
	statement, err := sqlite.ReportsStatement(req)
	require.NoError(t, err)
	for kind, reader := range databases {
		if ok {
			plan := planOf(t, block, reader)
			require.NotContains(t, plan, "SCAN r", kind)
			require.NotContains(t, plan, "SCAN p", kind)
		}
		plan := planOf(t, statement, reader)
		require.Contains(t, plan, step, kind)
		require.NotContains(t, strings.ReplaceAll(plan, "SCAN json_each", ""), "SCAN ", kind)
		require.NotContains(t, plan, "TEMP B-TREE", kind)
	}
}

func TestPlans_Reports(t *testing.T) {
	t.Parallel()
	_, reader := sqlite.Pools(open(t, filepath.Join(t.TempDir(), "a.db")))
	page, err := sqlite.ReportsStatement(report.ListRequest{Scope: report.InOrganization(1), Cursor: 5, Limit: 100, Filter: report.Filter{
		Status:            report.StatusTodo,
		SearchQuery:       "a",
		ReporterQuery:     "b",
		ExcludeAutomation: true,
		OnlyRejected:      true,
		ReviewStatuses:    report.ReviewStatuses(),
		ReviewedBy:        1,
		BrandIDs:          []int64{1, 2},
	}})
	require.NoError(t, err)
	proposals, err := sqlite.ProposalsStatement([]int64{1, 2, 3})
	require.NoError(t, err)

	for statement, index := range map[*sqlite.Statement]string{
		&page:      "apguard_reports_organization_status",
		&proposals: "apguard_proposals_report",
	} {
		steps, err := statement.Plan(t.Context(), reader)
		require.NoError(t, err)
		plan := strings.Join(steps, "\n")
		require.Contains(t, plan, "USING INDEX "+index)
		require.NotContains(t, strings.ReplaceAll(plan, "SCAN json_each", ""), "SCAN ")
		require.NotContains(t, plan, "TEMP B-TREE")
	}
}

// A filter may be longer than the number of arguments that SQLite takes.
func TestReports_ManyBrands(t *testing.T) {
	t.Parallel()
	store := open(t, filepath.Join(t.TempDir(), "a.db"))
	filed, err := store.FileReport(t.Context(), report.FileCommand{OrganizationID: 1, BrandID: 99_999})
	require.NoError(t, err)

	filter := report.Filter{}
	for id := range int64(100_000) {
		filter.BrandIDs = append(filter.BrandIDs, id)
		filter.ReviewStatuses = append(filter.ReviewStatuses, report.ReviewSkip)
	}
	found, err := store.Reports(t.Context(), report.ListRequest{Scope: report.InOrganization(1), Filter: report.Filter{BrandIDs: filter.BrandIDs}, Cursor: 0, Limit: 10})
	require.NoError(t, err)
	require.Equal(t, []report.Report{filed}, found)
	found, err = store.Reports(t.Context(), report.ListRequest{Scope: report.InOrganization(1), Filter: filter, Cursor: 0, Limit: 10})
	require.NoError(t, err)
	require.Empty(t, found)
}
