package postgres_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage/postgres"
)

// analyze names the tables: those of other tests may be locked, and in a lock that
// waits for this one.
const analyze = `ANALYZE apguard_users, apguard_organizations, apguard_keys, apguard_assets, apguard_changes,
	apguard_allowlist, apguard_reports, apguard_proposals, apguard_reviews, apguard_disputes`

// filling is 20,000 organizations, 20,000 keys, 60,000 assets with two changes each and
// on the allowlists of two organizations, 120,000 reports with two proposals each, of
// ten organizations and 50 users, and 120,000 reviews, a third of them of one proposal.
// One in a hundred is blocked, reviewed, or what else a filter can ask for. There are
// disputes beside them.
const filling = `
	INSERT INTO apguard_users SELECT n, 'User ' || n, 'user ' || n, '', '', n <= 25 FROM generate_series(1, 50) n;
	INSERT INTO apguard_organizations SELECT n, 'slug-' || n, '' FROM generate_series(1, 20000) n;
	INSERT INTO apguard_keys SELECT sha256(n::TEXT::BYTEA), 1 + n % 1000, 0, '', '', n * 10, 0, 0, 0 FROM generate_series(1, 20000) n;
	INSERT INTO apguard_assets (type, canonical_hash, canonical, status)
		SELECT CASE n % 100 WHEN 0 THEN 'EMAIL' ELSE 'URL' END, sha256(n::TEXT::BYTEA), 'c' || n, 'ALLOWED'
		FROM generate_series(1, 60000) n;
	INSERT INTO apguard_changes (asset_id, type, from_status, to_status, changed_at, cause, actor, reference)
		SELECT n, CASE n % 100 WHEN 0 THEN 'EMAIL' ELSE 'URL' END, 'UNKNOWN', CASE n % 100 WHEN 0 THEN 'BLOCKED' ELSE 'ALLOWED' END, n * 10, 'manual', 0, ''
		FROM generate_series(1, 60000) n;
	INSERT INTO apguard_changes (asset_id, type, from_status, to_status, changed_at, cause, actor, reference)
		SELECT n, CASE n % 100 WHEN 0 THEN 'EMAIL' ELSE 'URL' END, CASE n % 100 WHEN 0 THEN 'BLOCKED' ELSE 'ALLOWED' END, 'UNKNOWN', 600000 + n * 10, 'manual', 0, ''
		FROM generate_series(1, 60000) n;
	INSERT INTO apguard_allowlist (organization_id, asset_id, name, description, added_at)
		SELECT 1 + n % 7, 1 + n % 60000, '', '', 0 FROM generate_series(1, 120000) n;
	INSERT INTO apguard_reports (organization_id, title, title_fold, description, description_fold,
			status, brand_id, reporter_id, created_at, updated_at)
		SELECT 1 + n % 10, 't', 't', 'd', 'd', CASE n % 3 WHEN 0 THEN 'TODO' ELSE 'CLOSED' END, n % 100, n % 50, n * 10, n * 10
		FROM generate_series(1, 120000) n;
	INSERT INTO apguard_proposals (report_id, asset_id, content, canonical_fold, proposed_status,
			review_id, review_status, reviewed_by, reviewed_at)
		SELECT 1 + n % 120000, 1 + n % 60000, '', 'c', 'BLOCKED', 0, CASE WHEN n % 100 < 3 THEN 'REJECT' ELSE '' END, n % 100, 0
		FROM generate_series(1, 240000) n;
	INSERT INTO apguard_reviews (proposal_id, status, weight, reviewed_by, reviewed_at, comment, change_id, withdrawn_by, withdrawn_at, withdrawn_reason)
		SELECT CASE n % 3 WHEN 0 THEN 7 ELSE 1 + n END, CASE n % 100 WHEN 0 THEN 'REJECT' ELSE 'SKIP' END,
			CASE n % 100 WHEN 0 THEN 2 ELSE 1 END, n % 100, 0, '', 0, 0, 0, ''
		FROM generate_series(1, 120000) n;
	` + disputes + analyze

// explain returns the plan of a statement, which is not run.
func explain(ctx context.Context, t *testing.T, on *pgx.Conn, statement postgres.Statement) string {
	t.Helper()
	rows, err := on.Query(ctx, "EXPLAIN "+statement.SQL, statement.Args...)
	require.NoError(t, err)
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return strings.Join(lines, "\n")
}

// skewed is a few assets with 3,000 changes each, and one with 3.
const skewed = `
	INSERT INTO apguard_assets (type, canonical_hash, canonical, status)
		SELECT 'URL', sha256(('c' || n)::BYTEA), 'c' || n, 'ALLOWED' FROM generate_series(1, 50) n;
	INSERT INTO apguard_changes (asset_id, type, from_status, to_status, changed_at, cause, actor, reference)
		SELECT CASE WHEN n <= 3 THEN 7 ELSE 1 + n % 50 END, 'URL', 'UNKNOWN', 'BLOCKED', n * 10, 'manual', 0, ''
		FROM generate_series(1, 150000) n;
	` + analyze

// explainPrepared returns the plan of a statement that a connection has prepared
// and run often, so that the server may plan for any arguments.
func explainPrepared(ctx context.Context, t *testing.T, on *pgx.Conn, statement postgres.Statement) string {
	t.Helper()
	run := func(sql string) []string {
		results, err := on.PgConn().Exec(ctx, sql).ReadAll()
		require.NoError(t, err)
		lines := make([]string, 0, len(results[0].Rows))
		for _, row := range results[0].Rows {
			lines = append(lines, string(row[0]))
		}
		return lines
	}
	run("PREPARE statement AS " + statement.SQL)
	defer run("DEALLOCATE statement")
	var plan []string
	for range 7 {
		plan = run("EXPLAIN EXECUTE statement(" + literals(t, statement.Args) + ")")
	}
	return strings.Join(plan, "\n")
}

// literals returns arguments as they stand in a statement.
func literals(t *testing.T, args []any) string {
	t.Helper()
	var texts []string
	for _, arg := range args {
		switch arg := arg.(type) {
		case string:
			texts = append(texts, "'"+arg+"'")
		case []byte:
			texts = append(texts, fmt.Sprintf(`'\\x%x'`, arg))
		case int64:
			texts = append(texts, strconv.FormatInt(arg, 10))
		default:
			require.Failf(t, "an argument of another type", "%T", arg)
		}
	}
	return strings.Join(texts, ", ")
}

func TestPlans(t *testing.T) {
	t.Parallel()
	dsn := database(t)
	migrated(t, dsn)
	execute(t, dsn, filling)
	t.Run("accounts", func(t *testing.T) { plansOfAccounts(t, dsn) })
	t.Run("allowing organizations", func(t *testing.T) { plansOfAllowing(t, dsn) })
	t.Run("disputes", func(t *testing.T) { plansOfDisputes(t, dsn) })
	t.Run("changes", func(t *testing.T) { plansOfChanges(t, dsn) })
	t.Run("reports", func(t *testing.T) { plansOfReports(t, dsn) })
	t.Run("reviews", func(t *testing.T) { plansOfReviews(t, dsn) })
	t.Run("kept reviews", func(t *testing.T) { plansOfKeptReviews(t, dsn) })
}

// The changelog of an asset is read in order, also when others have many changes.
func TestPlans_SkewedChangelog(t *testing.T) {
	t.Parallel()
	dsn := database(t)
	migrated(t, dsn)
	execute(t, dsn, skewed)
	on := connect(t, dsn)
	for page, after := range map[string]asset.ChangeCursor{
		"first page": {},
		"later page": {At: time.UnixMilli(700_000), ID: 700},
	} {
		statement, err := postgres.ChangesStatement(asset.ChangeFilter{
			Identity: asset.Identity{Type: asset.TypeURL, Canonical: "c7"},
		}, after, 100)
		require.NoError(t, err)
		plan := explain(t.Context(), t, on, statement)
		require.Contains(t, plan, "Backward using apguard_changes_asset", page)
		require.NotContains(t, plan, "Sort", page)
	}
}

// A block is looked at along an index for a review, also after the statement was
// prepared and run often.
func plansOfReviews(t *testing.T, dsn string) {
	t.Helper()
	on := connect(t, dsn)
	for name, filter := range map[string]report.Filter{
		"rejected":        {OnlyRejected: true},
		"a review status": {ReviewStatuses: []report.ReviewStatus{report.ReviewSkip}},
		"a reviewer":      {ReviewedBy: 7},
	} {
		t.Run(name, func(t *testing.T) {
			statements, err := postgres.ReportsStatements(report.ListRequest{Scope: report.InOrganization(1), Filter: filter, Cursor: asset.MaxID, Limit: 100})
			require.NoError(t, err)
			plan := explainPrepared(t.Context(), t, on, statements[0])
			require.NotContains(t, plan, "Filter: (review")
			require.NotContains(t, plan, "Seq Scan")
		})
	}
}

// The effective review is the first of an index, however many reviews a proposal
// has, and the last change of an asset is looked for among its own.
func plansOfKeptReviews(t *testing.T, dsn string) {
	t.Helper()
	on := connect(t, dsn)
	effective, page, lastChange, err := postgres.ReviewStatements()
	require.NoError(t, err)
	for statement, index := range map[*postgres.Statement]string{
		&effective:  "Index Scan Backward using apguard_reviews_weight",
		&page:       "Index Scan using apguard_reviews_proposal",
		&lastChange: "apguard_changes_asset",
	} {
		plan := explain(t.Context(), t, on, *statement)
		require.Contains(t, plan, index)
		require.NotContains(t, plan, "Seq Scan")
		require.NotContains(t, plan, "Sort")
		require.NotContains(t, plan, "Filter")
	}
}

// Every page of the changelog is read along an index, in order: no page needs the
// whole table, nor sorts more than the changes of one asset.
func plansOfChanges(t *testing.T, dsn string) {
	t.Helper()
	on := connect(t, dsn)
	var (
		identity = asset.Identity{Type: asset.TypeURL, Canonical: "c7"}
		period   = asset.Period{Since: time.UnixMilli(5000), Before: time.UnixMilli(9000)}
	)
	// The server chooses between indexes that do equally well by what it has counted.
	const anyIndex = "apguard_changes_"
	for name, test := range map[string]struct {
		filter asset.ChangeFilter
		index  string
	}{
		"all":                    {asset.ChangeFilter{}, "apguard_changes_time"},
		"a type":                 {asset.ChangeFilter{Type: asset.TypeEmail}, "apguard_changes_type"},
		"a period":               {asset.ChangeFilter{Period: period}, "apguard_changes_time"},
		"an old status":          {asset.ChangeFilter{From: asset.StatusBlocked}, "apguard_changes_from"},
		"a new status":           {asset.ChangeFilter{To: asset.StatusBlocked}, "apguard_changes_to"},
		"a common type":          {asset.ChangeFilter{Type: asset.TypeURL}, anyIndex},
		"a type and old status":  {asset.ChangeFilter{Type: asset.TypeEmail, From: asset.StatusUnknown}, anyIndex},
		"a type and new status":  {asset.ChangeFilter{Type: asset.TypeURL, To: asset.StatusAllowed}, anyIndex},
		"a type and statuses":    {asset.ChangeFilter{Type: asset.TypeEmail, From: asset.StatusUnknown, To: asset.StatusBlocked}, anyIndex},
		"a type and period":      {asset.ChangeFilter{Type: asset.TypeEmail, Period: period}, anyIndex},
		"a period and status":    {asset.ChangeFilter{Period: period, To: asset.StatusBlocked}, "apguard_changes_to"},
		"both statuses":          {asset.ChangeFilter{From: asset.StatusUnknown, To: asset.StatusBlocked}, anyIndex},
		"an asset":               {asset.ChangeFilter{Identity: identity}, "apguard_changes_asset"},
		"an asset and a type":    {asset.ChangeFilter{Identity: identity, Type: asset.TypeURL}, "apguard_changes_asset"},
		"an asset and statuses":  {asset.ChangeFilter{Identity: identity, From: asset.StatusUnknown, To: asset.StatusAllowed}, "apguard_changes_asset"},
		"an asset and a period":  {asset.ChangeFilter{Identity: identity, Period: period}, "apguard_changes_asset"},
		"everything that can be": {asset.ChangeFilter{Type: asset.TypeURL, Identity: identity, From: asset.StatusUnknown, To: asset.StatusAllowed, Period: period}, "apguard_changes_asset"},
	} {
		for page, after := range map[string]asset.ChangeCursor{
			"first page": {},
			"later page": {At: time.UnixMilli(7000), ID: 700},
		} {
			t.Run(name+", "+page, func(t *testing.T) {
				statement, err := postgres.ChangesStatement(test.filter, after, 100)
				require.NoError(t, err)
				plan := explain(t.Context(), t, on, statement)
				require.Contains(t, plan, "using "+test.index)
				require.NotContains(t, plan, "Seq Scan")
				if test.filter.Identity == (asset.Identity{}) {
					require.NotContains(t, plan, "Sort")
				}
			})
		}
	}
}

// Keys and organizations are found along an index.
func plansOfAccounts(t *testing.T, dsn string) {
	t.Helper()
	on := connect(t, dsn)
	keys, bySlug, page, err := postgres.AccountStatements()
	require.NoError(t, err)
	for statement, index := range map[*postgres.Statement]string{
		&keys:   "apguard_keys_organization",
		&bySlug: "apguard_organizations_slug",
		&page:   "apguard_organizations_pkey",
	} {
		plan := explain(t.Context(), t, on, *statement)
		require.Contains(t, plan, index)
		require.NotContains(t, plan, "Seq Scan")
	}
}

// The organizations that allow an asset are found and ordered along an index.
func plansOfAllowing(t *testing.T, dsn string) {
	t.Helper()
	statement, err := postgres.AllowingStatement()
	require.NoError(t, err)
	plan := explain(t.Context(), t, connect(t, dsn), statement)
	require.Contains(t, plan, "apguard_allowlist_asset")
	require.NotContains(t, plan, "Sort")
}

// Every page of reports is read along an index, whatever the filter.
func plansOfReports(t *testing.T, dsn string) {
	t.Helper()
	on := connect(t, dsn)
	for name, filter := range map[string]report.Filter{
		"all":             {},
		"a status":        {Status: report.StatusTodo},
		"no automation":   {ExcludeAutomation: true},
		"rejected":        {OnlyRejected: true},
		"review statuses": {ReviewStatuses: []report.ReviewStatus{report.ReviewReject, report.ReviewSkip}},
		"a reviewer":      {ReviewedBy: 7},
		"a brand":         {BrandIDs: []int64{7}},
		"brands":          {BrandIDs: []int64{7, 8, 9}},
		"a period":        {Created: asset.Period{Since: time.UnixMilli(5000), Before: time.UnixMilli(9000)}},
		"several": {
			Status: report.StatusTodo, ExcludeAutomation: true, OnlyRejected: true, ReviewedBy: 1, BrandIDs: []int64{1, 2},
		},
	} {
		for page, below := range map[string]int64{"first page": asset.MaxID, "later page": 80_000} {
			t.Run(name+", "+page, func(t *testing.T) {
				for _, scope := range []report.Scope{report.InOrganization(1), report.AnyOrganization()} {
					statements, err := postgres.ReportsStatements(report.ListRequest{Scope: scope, Filter: filter, Cursor: below, Limit: 100})
					require.NoError(t, err)
					for _, statement := range statements {
						plan := explain(t.Context(), t, on, statement)
						require.NotContains(t, plan, "Seq Scan on apguard_reports")
						require.NotContains(t, plan, "Seq Scan on apguard_proposals")
					}
				}
			})
		}
	}
	for name, c := range map[string]struct {
		filter report.Filter
		index  string
	}{
		"any organization":           {report.Filter{}, "Index Scan Backward using apguard_reports_pkey"},
		"any organization, a status": {report.Filter{Status: "IN_PROGRESS"}, "using apguard_reports_status"},
	} {
		t.Run(name, func(t *testing.T) {
			statements, err := postgres.ReportsStatements(report.ListRequest{
				Scope: report.AnyOrganization(), Filter: c.filter, Cursor: asset.MaxID, Limit: 100,
			})
			require.NoError(t, err)
			plan := explain(t.Context(), t, on, statements[0])
			require.Contains(t, plan, c.index)
			require.NotContains(t, plan, "Seq Scan on apguard_reports")
		})
	}
	statement, err := postgres.ProposalsStatement([]int64{1, 2, 3})
	require.NoError(t, err)
	plan := explain(t.Context(), t, on, statement)
	require.Contains(t, plan, "apguard_proposals_report")
	require.NotContains(t, plan, "Seq Scan")
}
