//go:build cgo

package sqlite_test

import (
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/audit/trail"
	"github.com/apguard/apguard/pending"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage/internal/sqlstore"
	"github.com/apguard/apguard/storage/internal/test/fixtures"
	"github.com/apguard/apguard/storage/internal/test/plantest"
	"github.com/apguard/apguard/storage/sqlite"
	"github.com/apguard/apguard/webhook"
)

// noStatistics is the database as the store creates it.
const noStatistics = "without statistics"

// largeStores returns two stores with some thousand rows. In the database of one of them, the
// host application has run ANALYZE, with which SQLite may choose other plans.
func largeStores(t *testing.T) map[string]*sqlite.Store {
	t.Helper()
	plain, analyzed := largeStore(t), largeStore(t)
	writer, _ := sqlite.Pools(analyzed)
	_, err := writer.ExecContext(t.Context(), "ANALYZE")
	require.NoError(t, err)
	return map[string]*sqlite.Store{noStatistics: plain, "with statistics": analyzed}
}

func largeStore(t *testing.T) *sqlite.Store {
	t.Helper()
	store := open(t, newFile(t))
	for id := range int64(300) {
		organization := account.Organization{ID: id + 1, Slug: fmt.Sprintf("slug-%d", id+1)}
		require.NoError(t, store.PutOrganization(t.Context(), organization, audit.Entry{}))
	}
	for i := range 2 {
		_, err := store.AddToAllowlist(t.Context(), fixtures.BatchCommand(strconv.Itoa(i), 1000))
		require.NoError(t, err)
	}
	names := make([]string, 1000)
	for i := range names {
		names[i] = fmt.Sprintf("0-%d", i)
	}
	for range 2 {
		for few := range slices.Chunk(names, report.MaxProposals) {
			_, err := store.FileReport(t.Context(), fixtures.FileCommand(few...))
			require.NoError(t, err)
		}
	}
	for user := range int64(300) {
		require.NoError(t, store.PutUser(t.Context(), account.User{ID: user + 1}, audit.Entry{}))
		_, err := store.PutGroup(t.Context(), account.Group{OrganizationID: user + 1}, audit.Entry{})
		require.NoError(t, err)
		require.NoError(t, store.PutKey(t.Context(), account.Key{Hash: account.HashKey(fmt.Sprint(user)), OrganizationID: user/30 + 1}, audit.Entry{}))
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
	_, err = writer.ExecContext(t.Context(), `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 3000)
		INSERT INTO apguard_idempotency (id, fingerprint, answer, claimed_at) SELECT randomblob(32), x'', x'', n FROM numbers`)
	require.NoError(t, err)
	_, err = writer.ExecContext(t.Context(), `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 3000)
		INSERT INTO apguard_webhooks (created_at, url, events, filter_types, filter_statuses, state, disabled_by, secret, old_secret,
			old_secret_until, feed_cursor, feed_position, dispute_position, act_position, batch_first, batch_last, batch_dispute, batch_act, replays, failures, failing_since, last_status,
			last_failure, last_at, last_success_at, due_at, lease)
		SELECT 0, '', '', '', '', iif(n % 3, 'ACTIVE', 'PAUSED'), '', '', '', 0, '', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '', 0, 0, iif(n % 50, ?, n), '' FROM numbers`,
		sqlstore.Millis(time.Time{}))
	require.NoError(t, err)
	_, err = writer.ExecContext(t.Context(), `INSERT INTO apguard_decisions (asset_id, source, status, reason, cause, since, actor, note, reference)
		SELECT id, iif(id % 50, 7, 1 + id % 7), 2, 1, 8, 0, 0, '', '' FROM apguard_assets`)
	require.NoError(t, err)
	_, err = writer.ExecContext(t.Context(), `INSERT INTO apguard_decisions (asset_id, source, status, reason, cause, since, actor, note, reference, expires_at, review_at)
		SELECT id, 0, 2, 1, 8, 0, 0, '', '', iif(id % 10, NULL, id), iif(id % 10 = 1, id, NULL) FROM apguard_assets`)
	require.NoError(t, err)
	_, err = writer.ExecContext(t.Context(), `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 3000)
		INSERT INTO apguard_audit (happened_at, channel, actor, actor_key, kind, action, subject, organization_id, user_id, detail)
		SELECT n, 'API', n % 300, '', iif(n % 10, 'KEY', 'USER'), 'CREATED', '', 0, 0, '' FROM numbers`)
	require.NoError(t, err)
	fillOld(t, store)
	return store
}

func TestPlans(t *testing.T) {
	t.Parallel()
	stores, databases := largeStores(t), make(map[string]*sql.DB)
	for kind, store := range stores {
		_, databases[kind] = sqlite.Pools(store)
	}
	for name, test := range map[string]func(*testing.T, map[string]*sql.DB){
		"assets":    testAssetPlans,
		"changes":   testChangePlans,
		"pruning":   testPruningPlans,
		"accounts":  testAccountPlans,
		"allowlist": testAllowlistPlans,
		"reviews":   testReviewPlans,
		"reports":   testReportPlans,
		"disputes":  testDisputePlans,
		"feed":      testFeedPlans,
		"records":   testRecordPlans,
		"webhooks":  testWebhookPlans,
		"lists":     testListPlans,
		"figures":   testFigurePlans,
		"decisions": testDecisionPlans,
		"audit":     testAuditPlans,
		"pending":   testPendingPlans,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, databases)
		})
	}
	t.Run("removals", func(t *testing.T) {
		t.Parallel()
		testRemovalPlans(t, stores)
	})
}

// explain returns the steps of the plan of a statement. Each ends with a space.
func explain(t *testing.T, on *sql.DB, statement plantest.Statement) string {
	t.Helper()
	rows, err := on.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+statement.SQL, statement.Args...)
	require.NoError(t, err)
	defer rows.Close() //nolint:errcheck // rows.Err is checked
	var plan strings.Builder
	for rows.Next() {
		var (
			id, parent, unused int
			step               string
		)
		require.NoError(t, rows.Scan(&id, &parent, &unused, &step))
		plan.WriteString(step + " \n")
	}
	require.NoError(t, rows.Err())
	return plan.String()
}

// requireSearch requires that the plan of each query has the step, scans no table besides a list of
// IDs, and sorts nothing.
func requireSearch(t *testing.T, databases map[string]*sql.DB, queries map[string]squirrel.SelectBuilder) {
	t.Helper()
	for kind, reader := range databases {
		for step, query := range queries {
			plan := explain(t, reader, plantest.Build(t, query))
			require.Contains(t, plan, step, kind)
			require.NotContains(t, strings.ReplaceAll(plan, "SCAN json_each ", ""), "SCAN ", kind)
			require.NotContains(t, plan, "TEMP B-TREE", kind)
		}
	}
}

// A list of assets is read in the order of the IDs, from the cursor on, and that of BLOCKED
// ones from their own index.
func testAssetPlans(t *testing.T, databases map[string]*sql.DB) {
	t.Helper()
	dialect := sqlite.Dialect()
	for name, filter := range plantest.AssetFilters() {
		step := "SEARCH a USING INTEGER PRIMARY KEY (rowid>?) "
		if filter.Status == asset.StatusBlocked {
			step = "SEARCH a USING INDEX apguard_assets_blocked (status=? AND rowid>?) "
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			query := dialect.Assets(asset.ListRequest{Filter: filter, Cursor: 7, Limit: asset.MaxLimit})
			requireSearch(t, databases, map[string]squirrel.SelectBuilder{step: query})
		})
	}
	identities := []asset.Identity{plantest.Identity(), {Type: asset.TypePage, Canonical: "other"}}
	for kind, reader := range databases {
		for _, n := range []int{2, 100} { // with each way of passing them
			plan := explain(t, reader, plantest.Build(t, dialect.AssetsByIdentity(slices.Repeat(identities, n/2))))
			require.Contains(t, plan, "SEARCH a USING INDEX apguard_assets_identity (identity_hash=?) ", kind)
			require.NotContains(t, plan, "SCAN a", kind)
		}

		plan := explain(t, reader, plantest.Build(t, dialect.AssetsOfSites(identities...)))
		require.Contains(t, plan, "SEARCH a USING INTEGER PRIMARY KEY (rowid=?) ", kind)
		require.Contains(t, plan, "SEARCH o USING COVERING INDEX apguard_assets_identity (identity_hash>? AND identity_hash<?) ", kind)
		require.NotContains(t, plan, "SCAN a", kind)
		require.NotContains(t, plan, "TEMP B-TREE", kind)
	}
}

// Every page of the changelog is read from ranges of an index in order, from its first change
// on. No page scans a table or sorts.
func testChangePlans(t *testing.T, databases map[string]*sql.DB) {
	t.Helper()
	for name, list := range plantest.ChangeLists() {
		for page, after := range map[string]asset.ChangeCursor{
			"first page": {},
			"later page": {At: time.UnixMilli(7_000), ID: 3},
		} {
			t.Run(name+", "+page, func(t *testing.T) {
				t.Parallel()
				req := asset.ListChangesRequest{Filter: list.Filter, Cursor: after, Limit: asset.MaxLimit}
				statement := plantest.Build(t, sqlite.Dialect().Changes(req))
				require.LessOrEqual(t, plantest.UpperLimits(statement), list.Parts)
				for kind, reader := range databases {
					plan := explain(t, reader, statement)
					require.Equal(t, list.Parts, strings.Count(plan, changeSearch(list, req)), "%s:\n%s", kind, plan)
					require.NotContains(t, plan, "SCAN a", kind)
					require.NotContains(t, plan, "TEMP B-TREE", kind)
				}
			})
		}
	}
}

// changeSearch returns the step of a plan that reads a range of the index of the list. It
// begins at the cursor or else at the end of the period.
func changeSearch(list plantest.ChangeList, req asset.ListChangesRequest) string {
	var bounds []string
	for _, column := range list.Columns {
		bounds = append(bounds, column+"=?")
	}
	if !req.Filter.Period.Since.IsZero() {
		bounds = append(bounds, "changed_at>?")
	}
	if !req.Filter.Period.Before.IsZero() || req.Cursor != (asset.ChangeCursor{}) {
		bounds = append(bounds, "changed_at<?")
	}
	if len(bounds) == 0 {
		return "SCAN c USING INDEX " + list.Index + " "
	}
	return "SEARCH c USING INDEX " + list.Index + " (" + strings.Join(bounds, " AND ") + ") "
}

// A step of pruning reads only the changes up to its limit, and looks up in an index whether
// each is the last one of its asset.
func testPruningPlans(t *testing.T, databases map[string]*sql.DB) {
	t.Helper()
	for _, after := range []asset.ChangeCursor{{}, {At: time.UnixMilli(5), ID: 3}} {
		query := sqlite.Dialect().OldChanges(asset.PruneCommand{Before: time.UnixMilli(7), After: after, Limit: 10})
		requireSearch(t, databases, map[string]squirrel.SelectBuilder{
			"SEARCH c USING INDEX apguard_changes_time ":  query,
			"SEARCH c USING INDEX apguard_changes_basis ": query,
			"SEARCH n USING INDEX apguard_changes_asset ": query,
		})
		requireSearch(t, databases, map[string]squirrel.SelectBuilder{
			"SEARCH c USING INDEX apguard_changes_operators (actor=?": sqlite.Dialect().Changes(asset.ListChangesRequest{Actor: 7, Cursor: after, Limit: 100}),
		})
		// The changes of some assets are sorted.
		of := plantest.Build(t, sqlite.Dialect().Changes(asset.ListChangesRequest{Assets: []int64{7, 9}, Cursor: after, Limit: 100}))
		for kind, reader := range databases {
			require.Contains(t, explain(t, reader, of), "SEARCH c USING INDEX apguard_changes_asset (asset_id=?) ", kind)
		}
	}
}

// Keys and organizations are found and ordered by an index.
func testAccountPlans(t *testing.T, databases map[string]*sql.DB) {
	t.Helper()
	dialect := sqlite.Dialect()
	requireSearch(t, databases, map[string]squirrel.SelectBuilder{
		"SEARCH apguard_keys USING INDEX apguard_keys_organization ":                                             dialect.Keys(7),
		"SEARCH apguard_organizations USING INDEX apguard_organizations_slug ":                                   dialect.OrganizationBySlug("slug-7"),
		"SEARCH apguard_organizations USING INTEGER PRIMARY KEY ":                                                dialect.Organizations(7, 100),
		"SEARCH apguard_users USING INTEGER PRIMARY KEY ":                                                        dialect.Users(7, 100),
		"SEARCH apguard_organizations USING INTEGER PRIMARY KEY (rowid=?)":                                       dialect.OrganizationsByID([]int64{7, 9}),
		"SEARCH apguard_users USING INTEGER PRIMARY KEY (rowid=?)":                                               dialect.UsersByID([]int64{7, 9}),
		"SEARCH apguard_keys USING PRIMARY KEY (hash>? AND hash<?)":                                              dialect.KeysByFingerprint([6]byte{7}),
		"SEARCH apguard_keys USING INDEX apguard_keys_organization (organization_id=?) ":                         dialect.KeyPage(7, account.KeyCursor{OrganizationID: 7, CreatedAt: time.UnixMilli(7)}, 100),
		"SEARCH apguard_keys USING INDEX apguard_keys_organization ((organization_id,created_at,hash)>(?,?,?)) ": dialect.KeyPage(0, account.KeyCursor{OrganizationID: 7, CreatedAt: time.UnixMilli(7)}, 100),
	})
}

// A page of the audit trail is read from an index in order, with every filter.
func testAuditPlans(t *testing.T, databases map[string]*sql.DB) {
	t.Helper()
	dialect := sqlite.Dialect()
	requireSearch(t, databases, map[string]squirrel.SelectBuilder{
		"SEARCH apguard_audit USING INTEGER PRIMARY KEY (rowid<?)":              dialect.AuditEntries(trail.Filter{}, 900, 100),
		"SEARCH apguard_audit USING INDEX apguard_audit_kind (kind=? AND rowid": dialect.AuditEntries(trail.Filter{Kind: audit.KindKey}, 900, 100),
		"SEARCH apguard_audit USING INDEX apguard_audit_actor (actor=? AND":     dialect.AuditEntries(trail.Filter{UserID: 7}, 900, 100),
	})
}

// The organizations that allow an asset are sorted, as their index has the order of time, in which steps
// look for the last entry of many assets. An asset has at most one row for each organization.
func testAllowlistPlans(t *testing.T, databases map[string]*sql.DB) {
	t.Helper()
	allowing := plantest.Build(t, sqlite.Dialect().AllowingOrganizations(allowlist.AllowedByRequest{AssetID: 7, Limit: 100}, time.Time{}))
	for kind, reader := range databases {
		require.Regexp(t, `^SEARCH apguard_allowlist USING (INDEX apguard_allowlist_asset|PRIMARY KEY) \(.*asset_id=\?\) `, explain(t, reader, allowing), kind)
	}
	requireSearch(t, databases, map[string]squirrel.SelectBuilder{
		"SEARCH apguard_allowlist USING COVERING INDEX apguard_allowlist_expiry ": sqlite.Dialect().EndedEntries(allowlist.ExpireCommand{At: fixtures.Time(), Limit: 1000}),
	})
}

// Old records of idempotency keys are found in an index, oldest first.
func testRecordPlans(t *testing.T, databases map[string]*sql.DB) {
	t.Helper()
	for kind, reader := range databases {
		plan := explain(t, reader, plantest.Build(t, sqlite.Dialect().OldRecords(fixtures.Time(), 1000)))
		require.Contains(t, plan, "SEARCH apguard_idempotency USING INDEX apguard_idempotency_time (claimed_at<?) ", kind)
		require.NotContains(t, plan, "SCAN ", kind)
		require.NotContains(t, plan, "ORDER BY", kind)
	}
}

// Endpoints that are due are read in order from an index that has no others.
func testWebhookPlans(t *testing.T, databases map[string]*sql.DB) {
	t.Helper()
	for _, after := range []webhook.DueCursor{{}, webhook.Waiting(), {At: time.UnixMilli(7), ID: 7}} {
		requireSearch(t, databases, map[string]squirrel.SelectBuilder{
			"SEARCH apguard_webhooks USING INDEX apguard_webhooks_due (due_at>? AND due_at<?) ": sqlite.Dialect().DueEndpoints(after, fixtures.Time(), 1000),
			"SEARCH apguard_webhooks USING INTEGER PRIMARY KEY (rowid>?) ":                      sqlite.Dialect().Endpoints(7, 1000),
		})
	}
}

// Acts of a state are read in order from an index, and equal ones are found by another.
func testPendingPlans(t *testing.T, databases map[string]*sql.DB) {
	t.Helper()
	requireSearch(t, databases, map[string]squirrel.SelectBuilder{
		"SEARCH apguard_pending USING INDEX apguard_pending_state (state=? AND rowid>?) ": sqlite.Dialect().Acts(pending.ListRequest{State: pending.StatePending, After: 7, Limit: 100}, fixtures.Time()),
		"SEARCH apguard_pending USING INDEX apguard_pending_digest (digest=?) ":           sqlite.Dialect().ActsLike(pending.Act{}),
		"SEARCH apguard_pending USING INTEGER PRIMARY KEY (rowid>?) ":                     sqlite.Dialect().Acts(pending.ListRequest{After: 7, Limit: 100}, fixtures.Time()),
	})
}

// The entries of a list are read in order from an index that has no others, and their assets by their IDs.
func testListPlans(t *testing.T, databases map[string]*sql.DB) {
	t.Helper()
	for _, list := range []int64{1, 7} { // of few assets, and of almost all
		for kind, reader := range databases {
			plan := explain(t, reader, plantest.Build(t, sqlite.Dialect().ListEntries(list, 100, 1000)))
			require.Equal(t, "SEARCH d USING INDEX apguard_decisions_list (source=? AND asset_id>? AND asset_id<?) \nSEARCH a USING INTEGER PRIMARY KEY (rowid=?) \n", plan, kind)
		}
	}
}

// The decisions that end, and those that are due, are read in order from indexes that have no others.
func testDecisionPlans(t *testing.T, databases map[string]*sql.DB) {
	t.Helper()
	due := asset.DueRequest{Before: fixtures.Time(), Cursor: asset.DueCursor{At: time.UnixMilli(7), ID: 7}, Limit: 1000}
	for kind, reader := range databases {
		plan := explain(t, reader, plantest.Build(t, sqlite.Dialect().EndedDecisions(asset.ExpireCommand{At: fixtures.Time(), Limit: 1000})))
		require.Equal(t, "SEARCH apguard_decisions USING COVERING INDEX apguard_decisions_expiry (expires_at<?) \n", plan, kind)
		plan = explain(t, reader, plantest.Build(t, sqlite.Dialect().DueDecisions(due)))
		require.Equal(t, "SEARCH d USING INDEX apguard_decisions_review ((review_at,asset_id)>(?,?) AND review_at<?) \nSEARCH a USING INTEGER PRIMARY KEY (rowid=?) \n", plan, kind)
	}
}

// What figures count is read from indexes that have no others.
func testFigurePlans(t *testing.T, databases map[string]*sql.DB) {
	t.Helper()
	dialect, month := sqlite.Dialect(), asset.Period{Since: time.UnixMilli(70), Before: time.UnixMilli(90)}
	for step, query := range map[string]squirrel.SelectBuilder{
		"SEARCH c USING INDEX apguard_changes_figures (cause=? AND changed_at>? AND changed_at<?) ":                               dialect.Blocks(month),
		"SEARCH p USING INDEX apguard_changes_asset (asset_id=? AND changed_at<?) ":                                               dialect.LiftedBlocks(month),
		"apguard_decisions USING COVERING INDEX apguard_decisions_review":                                                         dialect.DueCount(month.Since),
		"SEARCH n USING COVERING INDEX apguard_dispute_notes_decided (created_at>? AND created_at<?) \nUSE TEMP B-TREE FOR GROUP": dialect.Decisions(month).Columns("n.state", "COUNT(*)").GroupBy("n.state"),
		"SEARCH n USING COVERING INDEX apguard_dispute_notes_decided (created_at>? AND created_at<?) \nSEARCH d ":                 dialect.DecisionTime(month, 7),
	} {
		for kind, reader := range databases {
			plan := explain(t, reader, plantest.Build(t, query))
			require.Contains(t, plan, step, kind)
			require.NotContains(t, plan, "SCAN c", kind)
		}
	}
}

// The effective review is the first one in an index, however many reviews a proposal has.
func testReviewPlans(t *testing.T, databases map[string]*sql.DB) {
	t.Helper()
	dialect := sqlite.Dialect()
	requireSearch(t, databases, map[string]squirrel.SelectBuilder{
		"SEARCH apguard_reviews USING INDEX apguard_reviews_weight (proposal_id=? AND weight>?) ":  dialect.EffectiveReviews(7),
		"SEARCH apguard_reviews USING INDEX apguard_reviews_proposal (proposal_id=? AND rowid>?) ": dialect.Reviews(7, 100, 100),
		"(proposal_id=?) \nSCALAR SUBQUERY": dialect.ReviewTotal(7), // of either index
	})
}

// A page of reports is read from an index in the order of IDs, with every filter. A search
// reads nothing but the reports that it examines, their proposals and their reporters.
func testReportPlans(t *testing.T, databases map[string]*sql.DB) {
	t.Helper()
	for name, filter := range plantest.ReportFilters() {
		for page, cursor := range map[string]int64{"first page": 0, "later page": 9_000, "oldest first": 5} {
			t.Run(name+", "+page, func(t *testing.T) {
				t.Parallel()
				index := "INDEX apguard_reports_organization (organization_id=? AND rowid>? AND rowid<?)"
				if filter.Status != "" {
					index = "INDEX apguard_reports_organization_status (organization_id=? AND status=? AND rowid>? AND rowid<?)"
				}
				req := report.ListRequest{Scope: report.InOrganization(1), Filter: filter, OldestFirst: cursor == 5, Cursor: cursor, Limit: 100}
				requireReportPlans(t, databases, req, index)

				index = "INTEGER PRIMARY KEY (rowid>? AND rowid<?)"
				if filter.Status != "" {
					index = "INDEX apguard_reports_status (status=? AND rowid>? AND rowid<?)"
				}
				req.Scope = report.AnyOrganization()
				requireReportPlans(t, databases, req, index)
			})
		}
	}
	for index, scope := range map[string]report.Scope{
		"apguard_reports_status (status=?)":                                    report.AnyOrganization(),
		"apguard_reports_organization_status (organization_id=? AND status=?)": report.InOrganization(1),
	} {
		for kind, reader := range databases {
			plan := explain(t, reader, plantest.Build(t, sqlite.Dialect().ReportBacklog(scope)))
			require.Contains(t, plan, "SEARCH apguard_reports USING COVERING INDEX "+index, kind)
			require.NotContains(t, plan, "SCAN apguard_reports", kind)
		}
	}
}

// requireReportPlans requires that the reports are read from the index, and that everything
// else is looked up by their IDs.
func requireReportPlans(t *testing.T, databases map[string]*sql.DB, req report.ListRequest, index string) {
	t.Helper()
	lookups := regexp.MustCompile(strings.Join([]string{
		`^SEARCH p USING INDEX apguard_proposals_report \(report_id=\?\) $`,
		`^SEARCH u USING INTEGER PRIMARY KEY \(rowid=\?\) $`,
		`^CORRELATED SCALAR SUBQUERY \d+ $`,
		`^SCALAR SUBQUERY \d+ $`, `^SEARCH i USING COVERING INDEX apguard_assets_identity \(identity_hash=\?\) $`, // the asset
		`^LIST SUBQUERY \d+ $`, `^SCAN json_each VIRTUAL TABLE INDEX 1: $`, `^CREATE BLOOM FILTER $`, // the list of brands
	}, "|"))
	last, page := plantest.BuildReports(t, sqlite.Dialect(), req, 7)
	for kind, reader := range databases {
		plan := explain(t, reader, last)
		require.Equal(t, "SEARCH r USING "+index+" \n", strings.Replace(plan, "COVERING ", "", 1), kind)

		reports, others, _ := strings.Cut(explain(t, reader, page), "\n")
		require.Equal(t, "SEARCH r USING "+index+" ", reports, kind)
		for step := range strings.Lines(others) {
			require.Regexp(t, lookups, strings.TrimSuffix(step, "\n"), kind)
		}
	}
}
