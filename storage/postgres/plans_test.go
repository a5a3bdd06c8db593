package postgres_test

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/audit/trail"
	"github.com/apguard/apguard/pending"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/test/fixtures"
	"github.com/apguard/apguard/storage/internal/test/plantest"
	"github.com/apguard/apguard/storage/postgres"
	"github.com/apguard/apguard/webhook"
)

// analyze names its tables. Without names, it would wait for locks on the tables of other
// tests, which could wait for this one.
const analyze = `ANALYZE apguard_users, apguard_organizations, apguard_groups, apguard_keys, apguard_assets, apguard_changes, apguard_feed,
	apguard_allowlist, apguard_reports, apguard_proposals, apguard_reviews, apguard_disputes,
	apguard_dispute_notes, apguard_dispute_events, apguard_idempotency, apguard_webhooks, apguard_decisions, apguard_lists,
	apguard_audit, apguard_pending`

// fillTables inserts 20,000 organizations, groups and keys, 60,000 assets with two changes
// and two allowlist entries each, of which some end, 120,000 reports with two proposals each by 5,000 users of
// ten organizations, 120,000 reviews, a third of which belong to one proposal, and disputes.
// One list holds 54,000 assets, and ten others hold the rest. There are 20,000 records of idempotency keys. Filters match about one row in a hundred.
const fillTables = `
	INSERT INTO apguard_users SELECT n, 'User ' || n, 'user ' || n, '', '', '', n <= 25, FALSE FROM generate_series(1, 5000) n;
	INSERT INTO apguard_organizations SELECT n, 'slug-' || n, '', FALSE FROM generate_series(1, 20000) n;
	INSERT INTO apguard_groups (organization_id, name) SELECT 1 + n % 1000, '' FROM generate_series(1, 20000) n;
	INSERT INTO apguard_keys SELECT sha256(n::TEXT::BYTEA), 1 + n % 1000, 0, '', '', n * 10, 0, 0, 0 FROM generate_series(1, 20000) n;
	INSERT INTO apguard_assets (type, identity_hash, canonical, status)
		SELECT CASE n % 100 WHEN 0 THEN 21 ELSE 0 END, sha256(n::TEXT::BYTEA), 'c' || n, CASE n % 100 WHEN 0 THEN 2 ELSE 1 END
		FROM generate_series(1, 60000) n;
	INSERT INTO apguard_changes (id, asset_id, type, from_status, to_status, changed_at, cause, actor, reference)
		SELECT nextval('apguard_changes_id_seq'), n, CASE n % 100 WHEN 0 THEN 21 ELSE 0 END, 0, CASE n % 100 WHEN 0 THEN 2 ELSE 1 END, n * 10, 4, 0, ''
		FROM generate_series(1, 60000) n;
	INSERT INTO apguard_changes (id, asset_id, type, from_status, to_status, changed_at, cause, actor, reference)
		SELECT nextval('apguard_changes_id_seq'), n, CASE n % 100 WHEN 0 THEN 21 ELSE 0 END, CASE n % 100 WHEN 0 THEN 2 ELSE 1 END, 0, 600000 + n * 10, 4, 0, ''
		FROM generate_series(1, 60000) n;
	INSERT INTO apguard_pending (digest, plan, actor, created_at, expires_at, state, decided_by, decided_at, comment)
		SELECT sha256(n::TEXT::BYTEA)::TEXT, '{}', 1, n, n, CASE n % 100 WHEN 0 THEN 'PENDING' ELSE 'APPROVED' END, 2, n, '' FROM generate_series(1, 20000) n;
	INSERT INTO apguard_feed (first_change, position, changes) SELECT id, row_number() OVER (ORDER BY id), 1 FROM apguard_changes;
	INSERT INTO apguard_allowlist (organization_id, asset_id, name, description, added_at)
		SELECT 1 + n % 7, 1 + n % 60000, '', '', 0 FROM generate_series(1, 120000) n;
	UPDATE apguard_allowlist SET expires_at = asset_id WHERE asset_id % 100 = 7;
	INSERT INTO apguard_reports (organization_id, title, title_fold, description, description_fold,
			status, brand_id, reporter_id, created_at, updated_at)
		SELECT 1 + n % 10, 't', 't', 'd', 'd', CASE n % 3 WHEN 0 THEN 'TODO' ELSE 'CLOSED' END, n % 100, n % 5000, n * 10, n * 10
		FROM generate_series(1, 120000) n;
	INSERT INTO apguard_proposals (report_id, asset_id, content, canonical_fold, proposed_status,
			review_id, review_status, reviewed_by, reviewed_at)
		SELECT 1 + n % 120000, 1 + n % 60000, '', 'c', 'BLOCKED', 0, CASE WHEN n % 100 < 3 THEN 'REJECT' ELSE '' END, n % 100, 0
		FROM generate_series(1, 240000) n;
	INSERT INTO apguard_reviews (proposal_id, status, weight, reviewed_by, reviewed_at, comment, change_id, withdrawn_by, withdrawn_at, withdrawn_reason)
		SELECT CASE n % 3 WHEN 0 THEN 7 ELSE 1 + n END, CASE n % 100 WHEN 0 THEN 'REJECT' ELSE 'SKIP' END,
			CASE n % 100 WHEN 0 THEN 2 ELSE 1 END, n % 100, 0, '', 0, 0, 0, ''
		FROM generate_series(1, 120000) n;
	INSERT INTO apguard_idempotency (id, fingerprint, answer, claimed_at)
		SELECT sha256(n::TEXT::BYTEA), '', '', n * 10 FROM generate_series(1, 20000) n;
	INSERT INTO apguard_webhooks (created_at, url, events, filter_types, filter_statuses, state, disabled_by, secret, old_secret,
			old_secret_until, feed_cursor, feed_position, dispute_position, act_position, batch_first, batch_last, batch_dispute, batch_act, replays, failures, failing_since, last_status,
			last_failure, last_at, last_success_at, due_at, lease)
		SELECT 0, '', '', '', '', CASE n % 3 WHEN 0 THEN 'PAUSED' ELSE 'ACTIVE' END, '', '', '', 0, '', 0, 0, 0, 0, 0, FALSE, FALSE, 0, 0, 0, 0, '', 0, 0,
			CASE n % 50 WHEN 0 THEN n ELSE -62135596800000 END, '' FROM generate_series(1, 20000) n;
	INSERT INTO apguard_decisions (asset_id, source, status, reason, cause, since, actor, note, reference)
		SELECT n, CASE n % 10 WHEN 0 THEN 1 + n / 10 % 10 ELSE 11 END, 2, 1, 8, 0, 0, '', '' FROM generate_series(1, 60000) n;
	INSERT INTO apguard_decisions (asset_id, source, status, reason, cause, since, actor, note, reference, expires_at, review_at)
		SELECT n, 0, 2, 1, 8, 0, 0, '', '', CASE n % 10 WHEN 0 THEN n END, CASE n % 10 WHEN 1 THEN n END FROM generate_series(1, 60000) n;
	INSERT INTO apguard_audit (happened_at, channel, actor, actor_key, kind, action, subject, organization_id, user_id, detail)
		SELECT n, 'API', n % 300, '', CASE n % 2000 WHEN 0 THEN 'USER' ELSE 'KEY' END, 'CREATED', '', 0, 0, '' FROM generate_series(1, 20000) n;
	` + fillDisputes + analyze

// explain returns the plan of a statement without running it.
func explain(ctx context.Context, t *testing.T, on *pgx.Conn, statement plantest.Statement) string {
	t.Helper()
	rows, err := on.Query(ctx, "EXPLAIN "+statement.SQL, statement.Args...)
	require.NoError(t, err)
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return strings.Join(lines, "\n")
}

// fillSkewed inserts 49 assets with 3,000 changes each, and one with 3.
const fillSkewed = `
	INSERT INTO apguard_assets (type, identity_hash, canonical, status)
		SELECT 0, sha256(('c' || n)::BYTEA), 'c' || n, 1 FROM generate_series(1, 50) n;
	INSERT INTO apguard_changes (id, asset_id, type, from_status, to_status, changed_at, cause, actor, reference)
		SELECT nextval('apguard_changes_id_seq'), CASE WHEN n <= 3 THEN 7 ELSE 1 + n % 50 END, 0, 0, 2, n * 10, 4, 0, ''
		FROM generate_series(1, 150000) n;
	` + analyze

// explainPrepared returns the plan of a statement that a connection has prepared and run
// often. The server may then use a plan for any arguments.
func explainPrepared(ctx context.Context, t *testing.T, on *pgx.Conn, statement plantest.Statement) string {
	t.Helper()
	return explainRuns(ctx, t, on, statement, 7)
}

// explainRuns returns the last plan of a prepared statement that runs several times.
func explainRuns(ctx context.Context, t *testing.T, on *pgx.Conn, statement plantest.Statement, runs int) string {
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
	for range runs {
		plan = run("EXPLAIN EXECUTE statement(" + literals(t, statement.Args) + ")")
	}
	return strings.Join(plan, "\n")
}

// literals returns the arguments as SQL literals.
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
		case []int64:
			list := strings.Trim(strings.ReplaceAll(fmt.Sprint(arg), " ", ","), "[]")
			texts = append(texts, "'{"+list+"}'")
		default:
			require.Failf(t, "argument of an unknown type", "%T", arg)
		}
	}
	return strings.Join(texts, ", ")
}

func TestPlans(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	migrate(t, dsn)
	execute(t, dsn, fillTables)
	for name, test := range map[string]func(*testing.T, string){
		"accounts":  testAccountPlans,
		"allowlist": testAllowlistPlans,
		"assets":    testAssetPlans,
		"changes":   testChangePlans,
		"disputes":  testDisputePlans,
		"records":   testRecordPlans,
		"removals":  testRemovalPlans,
		"reports":   testReportPlans,
		"reviews":   testReviewPlans,
		"webhooks":  testWebhookPlans,
		"lists":     testListPlans,
		"decisions": testDecisionPlans,
		"figures":   testFigurePlans,
		"keys":      testKeyPlans,
		"audit":     testAuditPlans,
		"pending":   testPendingPlans,
	} {
		t.Run(name, func(t *testing.T) { test(t, dsn) })
	}
}

// A list of assets is read in the order of the IDs, from the cursor on, and that of BLOCKED
// ones from their own index. If the server expects few assets, it may search all and sort
// them.
func testAssetPlans(t *testing.T, dsn string) {
	t.Helper()
	on := connect(t, dsn)
	dialect := postgres.Dialect()
	for name, filter := range plantest.AssetFilters() {
		query := dialect.Assets(asset.ListRequest{Filter: filter, Cursor: 7, Limit: 100})
		plan := explain(t.Context(), t, on, plantest.Build(t, query))
		switch name {
		case "BLOCKED", "BLOCKED, every field":
			require.Contains(t, plan, "apguard_assets_blocked", name)
		case "all", "ALLOWED", "a type":
			require.Contains(t, plan, "Index Scan using apguard_assets_pkey", name)
			require.NotContains(t, plan, "Sort", name)
		}
	}
	identities := []asset.Identity{plantest.Identity(), {Type: asset.TypePage, Canonical: "other"}}
	build := func(query squirrel.Sqlizer) plantest.Statement {
		statement := plantest.Build(t, query)
		sql, err := dialect.Placeholders.ReplacePlaceholders(statement.SQL)
		require.NoError(t, err)
		return plantest.Statement{SQL: sql, Args: statement.Args}
	}
	for _, some := range [][]asset.Identity{identities, fixtures.Links()} {
		plan := explain(t.Context(), t, on, build(dialect.AssetsByIdentity(some)))
		require.Contains(t, plan, "Index Scan using apguard_assets_identity")
	}
	plan := explain(t.Context(), t, on, build(dialect.AssetsOfSites(identities...)))
	require.Contains(t, plan, "Index Scan using apguard_assets_identity")
	require.NotContains(t, plan, "Sort")
}

// Endpoints that are due are read in order from an index that has no others. If the server expects
// most of the table, it may scan and sort it.
func testWebhookPlans(t *testing.T, dsn string) {
	t.Helper()
	on := connect(t, dsn)
	dialect := postgres.Dialect()
	plan := explain(t.Context(), t, on, plantest.Build(t, dialect.Endpoints(7, 100)))
	require.Contains(t, plan, "Index Scan using apguard_webhooks_pkey")
	for _, after := range []webhook.DueCursor{{}, webhook.Waiting(), {At: time.UnixMilli(7), ID: 7}} {
		statement := plantest.Build(t, dialect.DueEndpoints(after, time.UnixMilli(900), 100))
		for _, plan := range []string{explain(t.Context(), t, on, statement), explainPrepared(t.Context(), t, on, statement)} {
			require.Contains(t, plan, "Index Scan using apguard_webhooks_due")
			require.NotContains(t, plan, "Sort")
			require.Regexp(t, `Index Cond: \(.*ROW\(due_at, id\) > ROW.*\)`, plan)
		}
	}
}

// Acts of a state are read in order from an index, and equal ones are found by another.
func testPendingPlans(t *testing.T, dsn string) {
	t.Helper()
	on := connect(t, dsn)
	dialect := postgres.Dialect()
	for index, query := range map[string]squirrel.SelectBuilder{
		"apguard_pending_state":  dialect.Acts(pending.ListRequest{State: pending.StatePending, After: 7, Limit: 100}, fixtures.Time()),
		"apguard_pending_digest": dialect.ActsLike(pending.Act{}),
		"apguard_pending_pkey":   dialect.Acts(pending.ListRequest{After: 7, Limit: 100}, fixtures.Time()),
	} {
		require.Contains(t, explain(t.Context(), t, on, plantest.Build(t, query)), "Index Scan using "+index)
	}
}

// The entries of a list are read in order from an index that has no others, and their assets by their IDs.
func testListPlans(t *testing.T, dsn string) {
	t.Helper()
	on := connect(t, dsn)
	for _, list := range []int64{1, 11} { // of few assets, and of almost all
		statement := plantest.Build(t, postgres.Dialect().ListEntries(list, 100, 1000))
		for _, plan := range []string{explain(t.Context(), t, on, statement), explainPrepared(t.Context(), t, on, statement)} {
			require.Contains(t, plan, "Index Scan using apguard_decisions_list")
			require.Regexp(t, `Index Cond: \(.*ROW\(source, asset_id\) >= ROW.*ROW\(source, asset_id\) < ROW.*\)`, plan)
			require.Contains(t, plan, "Index Scan using apguard_assets_pkey")
			require.NotContains(t, plan, "Sort")
		}
	}
}

// The decisions that end, and those that are due, are read in order from indexes that have no others.
func testDecisionPlans(t *testing.T, dsn string) {
	t.Helper()
	on := connect(t, dsn)
	ended := plantest.Build(t, postgres.Dialect().EndedDecisions(asset.ExpireCommand{At: fixtures.Time(), Limit: 1000}))
	due := plantest.Build(t, postgres.Dialect().DueDecisions(asset.DueRequest{
		Before: fixtures.Time(), Cursor: asset.DueCursor{At: time.UnixMilli(7), ID: 7}, Limit: 1000,
	}))
	for _, explained := range []func(context.Context, *testing.T, *pgx.Conn, plantest.Statement) string{explain, explainPrepared} {
		plan := explained(t.Context(), t, on, ended)
		require.Contains(t, plan, "Index Only Scan using apguard_decisions_expiry")
		require.NotContains(t, plan, "Sort")
		plan = explained(t.Context(), t, on, due)
		require.Contains(t, plan, "Index Scan using apguard_decisions_review")
		require.Contains(t, plan, "Index Scan using apguard_assets_pkey")
		require.NotContains(t, plan, "Sort")
	}
}

// What figures count is read from indexes that have no others.
func testFigurePlans(t *testing.T, dsn string) {
	t.Helper()
	on, dialect := connect(t, dsn), postgres.Dialect()
	month := asset.Period{Since: time.UnixMilli(70), Before: time.UnixMilli(90)}
	for want, query := range map[string]squirrel.SelectBuilder{
		"apguard_changes_figures":       dialect.Blocks(month),
		"apguard_changes_asset":         dialect.LiftedBlocks(month),
		"apguard_decisions_review":      dialect.DueCount(month.Since),
		"apguard_dispute_notes_decided": dialect.DecisionTime(month, 7),
	} {
		statement := plantest.Build(t, query)
		for _, plan := range []string{explain(t.Context(), t, on, statement), explainPrepared(t.Context(), t, on, statement)} {
			require.Contains(t, plan, want)
			require.NotContains(t, plan, "Seq Scan")
		}
	}
}

// The changelog of an asset is read in order even if other assets have many changes.
func TestPlans_SkewedChangelog(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	migrate(t, dsn)
	execute(t, dsn, fillSkewed)
	on := connect(t, dsn)
	for page, after := range map[string]asset.ChangeCursor{
		"first page": {},
		"later page": {At: time.UnixMilli(700_000), ID: 700},
	} {
		query := postgres.Dialect().Changes(asset.ListChangesRequest{Filter: asset.ChangeFilter{Identity: plantest.Identity()}, Cursor: after, Limit: 100})
		plan := explain(t.Context(), t, on, plantest.Build(t, query))
		require.Contains(t, plan, "Backward using apguard_changes_asset", page)
		require.NotContains(t, plan, "Sort", page)
		query = postgres.Dialect().Changes(asset.ListChangesRequest{Actor: 7, Cursor: after, Limit: 100})
		plan = explain(t.Context(), t, on, plantest.Build(t, query))
		require.Contains(t, plan, "Backward using apguard_changes_operators", page)
		query = postgres.Dialect().Changes(asset.ListChangesRequest{Assets: []int64{7, 9}, Cursor: after, Limit: 100})
		plan = explain(t.Context(), t, on, plantest.Build(t, query))
		require.Contains(t, plan, "apguard_changes_asset", page)
	}
}

// The effective review is the first one in an index, however many reviews a proposal has.
func testReviewPlans(t *testing.T, dsn string) {
	t.Helper()
	on := connect(t, dsn)
	dialect := postgres.Dialect()
	for index, query := range map[string]squirrel.SelectBuilder{
		"Index Scan Backward using apguard_reviews_weight": dialect.EffectiveReviews(7),
		"Index Scan using apguard_reviews_proposal":        dialect.Reviews(7, 100, 100),
		"Scan using apguard_reviews_":                      dialect.ReviewTotal(7), // either index
	} {
		plan := explain(t.Context(), t, on, plantest.Build(t, query))
		require.Contains(t, plan, index)
		require.NotContains(t, plan, "Seq Scan")
		require.NotContains(t, plan, "Sort")
		require.NotContains(t, plan, "Filter")
	}
}

// Every page of the changelog is read from ranges of an index in order. No page scans a table or
// sorts, except for the changes of one asset.
func testChangePlans(t *testing.T, dsn string) {
	t.Helper()
	on, reusing := connect(t, dsn), connect(t, dsn)
	_, err := reusing.Exec(t.Context(), "SET plan_cache_mode = force_generic_plan")
	require.NoError(t, err)
	for name, list := range plantest.ChangeLists() {
		for page, after := range map[string]asset.ChangeCursor{
			"first page": {},
			"later page": {At: time.UnixMilli(7000), ID: 700},
		} {
			t.Run(name+", "+page, func(t *testing.T) {
				statement := plantest.Build(t, postgres.Dialect().Changes(asset.ListChangesRequest{Filter: list.Filter, Cursor: after, Limit: 100}))
				require.LessOrEqual(t, plantest.UpperLimits(statement), list.Parts)
				plans := []string{explain(t.Context(), t, on, statement)}
				if list.Parts > 1 {
					plans = append(plans, explainRuns(t.Context(), t, reusing, statement, 1))
				}
				for _, plan := range plans {
					require.Equal(t, list.Parts, strings.Count(plan, "using "+list.Index+" "), plan)
					require.NotContains(t, plan, "Seq Scan")
					require.Equal(t, list.Parts > 1, strings.Contains(plan, "Merge Append"))
					if list.Filter.Identity == (asset.Identity{}) {
						require.NotContains(t, plan, "->  Sort")
					}
				}
			})
		}
	}
}

// Keys and organizations are found in an index.
func testAccountPlans(t *testing.T, dsn string) {
	t.Helper()
	on := connect(t, dsn)
	dialect := postgres.Dialect()
	for index, query := range map[string]squirrel.SelectBuilder{
		"apguard_keys_organization":             dialect.Keys(7),
		"apguard_organizations_slug":            dialect.OrganizationBySlug("slug-7"),
		"apguard_organizations_pkey":            dialect.Organizations(7, 100),
		"apguard_users_pkey":                    dialect.Users(7, 100),
		"Scan using apguard_organizations_pkey": dialect.OrganizationsByID([]int64{7, 9}),
		"Scan using apguard_users_pkey":         dialect.UsersByID([]int64{7, 9}),
		"apguard_keys_pkey":                     dialect.KeysByFingerprint([6]byte{7}),
	} {
		plan := explain(t.Context(), t, on, plantest.Build(t, query))
		require.Contains(t, plan, index)
		require.NotContains(t, plan, "Seq Scan")
	}
}

// A page of keys is read from an index in order.
func testKeyPlans(t *testing.T, dsn string) {
	t.Helper()
	on := connect(t, dsn)
	after := account.KeyCursor{OrganizationID: 7, CreatedAt: time.UnixMilli(7)}
	plan := explain(t.Context(), t, on, plantest.Build(t, postgres.Dialect().KeyPage(0, after, 100)))
	require.Contains(t, plan, "Index Scan using apguard_keys_organization")
	require.NotContains(t, plan, "Sort")
	plan = explain(t.Context(), t, on, plantest.Build(t, postgres.Dialect().KeyPage(7, after, 100)))
	require.Contains(t, plan, "Scan on apguard_keys_organization", "the keys of one organization may be sorted")
}

// A page of the audit trail is read from an index in order, with every filter.
func testAuditPlans(t *testing.T, dsn string) {
	t.Helper()
	on := connect(t, dsn)
	for index, filter := range map[string]trail.Filter{
		"Backward using apguard_audit_pkey": {}, "apguard_audit_kind": {Kind: audit.KindUser}, "apguard_audit_actor": {UserID: 7},
	} {
		for _, before := range []int64{0, 9000} {
			plan := explain(t.Context(), t, on, plantest.Build(t, postgres.Dialect().AuditEntries(filter, before, 100)))
			require.Contains(t, plan, index)
			require.NotContains(t, plan, "Seq Scan")
		}
	}
}

// The organizations that allow an asset are sorted, as their index has the order of time.
func testAllowlistPlans(t *testing.T, dsn string) {
	t.Helper()
	statement := plantest.Build(t, postgres.Dialect().AllowingOrganizations(allowlist.AllowedByRequest{AssetID: 7, Limit: 100}, time.Time{}))
	plan := explain(t.Context(), t, connect(t, dsn), statement)
	require.Contains(t, plan, "apguard_allowlist_asset")
	require.NotContains(t, plan, "Seq Scan")
}

// Old records of idempotency keys are found in an index, oldest first.
func testRecordPlans(t *testing.T, dsn string) {
	t.Helper()
	for _, before := range []time.Time{fixtures.Time(), time.UnixMilli(1_000)} {
		plan := explain(t.Context(), t, connect(t, dsn), plantest.Build(t, postgres.Dialect().OldRecords(before, 1000)))
		require.Contains(t, plan, "Index Scan using apguard_idempotency_time")
		require.NotContains(t, plan, "Seq Scan")
		require.NotContains(t, plan, "Sort")
	}
}

// A page of reports is read from an index in the order of IDs, with every filter. A search
// reads nothing but the reports that it examines, their proposals and their reporters, also
// after the statement was prepared and run often.
func testReportPlans(t *testing.T, dsn string) {
	t.Helper()
	on := connect(t, dsn)
	for name, filter := range plantest.ReportFilters() {
		for page, cursor := range map[string]int64{"first page": 0, "later page": 80_000, "oldest first": 5} {
			t.Run(name+", "+page, func(t *testing.T) {
				index, columns := "apguard_reports_organization", "ROW(organization_id, id)"
				if filter.Status != "" {
					index, columns = "apguard_reports_organization_status", "ROW(organization_id, status, id)"
				}
				req := report.ListRequest{Scope: report.InOrganization(1), Filter: filter, OldestFirst: cursor == 5, Cursor: cursor, Limit: 100}
				requireReportPlans(t, on, req, index, columns)

				index, columns = "apguard_reports_pkey", "id"
				if filter.Status != "" {
					index, columns = "apguard_reports_status", "ROW(status, id)"
				}
				req.Scope = report.AnyOrganization()
				requireReportPlans(t, on, req, index, columns)
			})
		}
	}
	for index, scope := range map[string]report.Scope{
		"apguard_reports_status": report.AnyOrganization(), "apguard_reports_organization_status": report.InOrganization(1),
	} {
		plan := explain(t.Context(), t, on, plantest.Build(t, postgres.Dialect().ReportBacklog(scope)))
		require.Contains(t, plan, index)
		require.NotContains(t, plan, "Seq Scan", plan)
	}
	plan := explain(t.Context(), t, on, plantest.Build(t, postgres.Dialect().Proposals([]int64{1, 2, 3})))
	require.Contains(t, plan, "apguard_proposals_report")
	require.NotContains(t, plan, "Seq Scan")
}

// The plans of reports are right from the end of an import on.
func TestPlans_Import(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	store := open(t, dsn)
	seed := storage.Seed{
		Organizations: []storage.SeedOrganization{{ID: 1, Slug: "one"}},
		Users:         []account.User{{ID: 1}},
		Reports:       make([]storage.SeedReport, 4*report.MaxScan),
	}
	for i := range seed.Reports {
		seed.Reports[i] = storage.SeedReport{ID: int64(i + 1), Organization: "one", Reporter: 1, CreatedAt: time.UnixMilli(int64(i))}
	}
	require.NoError(t, store.Import(t.Context(), seed))
	on := connect(t, dsn)
	for _, status := range []report.Status{"", report.StatusTodo} {
		for _, scope := range []report.Scope{report.InOrganization(1), report.AnyOrganization()} {
			req := report.ListRequest{Scope: scope, Filter: report.Filter{Status: status, ReviewedBy: 7}, Limit: 100}
			last, page := plantest.BuildReports(t, postgres.Dialect(), req, 7)
			for _, statement := range []plantest.Statement{last, page} {
				plan := explain(t.Context(), t, on, statement)
				require.Contains(t, plan, "Backward using apguard_reports_", plan)
				require.NotContains(t, plan, "Sort", plan)
			}
		}
	}
}

// requireReportPlans requires that the reports are read from the index, and that everything
// else is looked up by their IDs, and an asset of the filter by its identity.
func requireReportPlans(t *testing.T, on *pgx.Conn, req report.ListRequest, index, columns string) {
	t.Helper()
	// These lines name the tables and what is done with their rows.
	steps := regexp.MustCompile(`(?m)^.*(Scan|Loop|Hash|Merge|Sort|Aggregate|Materialize).*$`)
	lookups := regexp.MustCompile(strings.Join([]string{
		`Index Scan using apguard_proposals_report on apguard_proposals p`,
		`Index Scan using apguard_users_pkey on apguard_users u`,
		`Index Scan using apguard_assets_identity on apguard_assets i`,
	}, "|"))
	scan := "Backward using " + index
	if req.OldestFirst {
		scan = "Scan using " + index
	}
	last, page := plantest.BuildReports(t, postgres.Dialect(), req, 7)
	for _, statement := range []plantest.Statement{last, page} {
		for kind, plan := range map[string]string{
			"at first": explain(t.Context(), t, on, statement),
			"often":    explainPrepared(t.Context(), t, on, statement),
		} {
			require.Regexp(t, scan+` on apguard_reports r .*\n *Index Cond: .*\(`+regexp.QuoteMeta(columns)+` <`, plan, kind)
			for _, step := range steps.FindAllString(plan, -1) {
				if !strings.Contains(step, scan+" on apguard_reports r") {
					require.Regexp(t, lookups, step, "%s: %s", kind, plan)
				}
			}
		}
	}
}
