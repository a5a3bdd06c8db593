package postgres_test

import (
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/storage/internal/test/plantest"
	"github.com/apguard/apguard/storage/postgres"
)

// fillDisputes inserts 60,000 disputes of 250 assets by 240 addresses, with a note each. The
// newest thousand and one in a hundred of the others are OPEN.
const fillDisputes = `
	INSERT INTO apguard_disputes (asset_id, content, email, email_key, description, state, assignee, created_at, updated_at)
		SELECT 1 + n % 250, '', '', 'key ' || (n / 250),  '',
			CASE WHEN n % 101 = 7 OR n > 59000 THEN 'OPEN' WHEN n % 2 = 0 THEN 'ACCEPTED' ELSE 'REJECTED' END,
			CASE WHEN n % 101 = 7 OR n > 59000 THEN 0 ELSE n % 100 END, n * 10, 0
		FROM generate_series(1, 60000) n;
	INSERT INTO apguard_dispute_notes (dispute_id, position, kind, text, author, state, created_at)
		SELECT n, 0, 'API', '', 0, '', n * 10 FROM generate_series(1, 60000) n;
	INSERT INTO apguard_dispute_events (position, dispute_id, state, happened_at)
		SELECT n, n, 'OPEN', n * 10 FROM generate_series(1, 60000) n;
	`

// The events of disputes are read in order. Every page of disputes is read from an index in order. It
// reads at most the rows of one page for each state, however many disputes there are.
func testDisputePlans(t *testing.T, dsn string) {
	t.Helper()
	on := connect(t, dsn)
	events := plantest.Build(t, postgres.Dialect().DisputeEvents(30_000, 100))
	for _, plan := range []string{explain(t.Context(), t, on, events), explainPrepared(t.Context(), t, on, events)} {
		require.Contains(t, plan, "Index Scan using apguard_dispute_events_pkey")
		require.Contains(t, plan, "Index Scan using apguard_disputes_pkey")
		require.NotContains(t, plan, "Sort")
		require.NotContains(t, plan, "Seq Scan")
	}
	for name, list := range plantest.DisputeLists() {
		for page, cursor := range map[string]dispute.Cursor{"first page": {}, "later page": {At: time.UnixMilli(300_000), ID: 30_000}} {
			for _, oldestFirst := range []bool{false, true} {
				t.Run(name+", "+page, func(t *testing.T) {
					statement := plantest.Build(t, postgres.Dialect().Disputes(dispute.ListRequest{
						Filter: list.Filter, Cursor: cursor, OldestFirst: oldestFirst, Limit: 10,
					}))
					requireIndexOrder(t, explain(t.Context(), t, on, statement), list)
					requireIndexOrder(t, explainPrepared(t.Context(), t, on, statement), list)
				})
			}
		}
	}
}

// requireIndexOrder requires that each part of the list is read from its index in order.
// The rows of a page may be sorted, and so may a short list.
func requireIndexOrder(t *testing.T, plan string, list plantest.DisputeList) {
	t.Helper()
	if list.Few {
		require.Contains(t, plan, list.Index)
		require.NotContains(t, plan, "Seq Scan")
		return
	}
	scans := regexp.MustCompile(`(Scan|Scan Backward) (using|on) apguard_disputes\S*`).FindAllString(plan, -1)
	require.Len(t, scans, list.Parts, plan)
	for _, scan := range scans {
		require.Regexp(t, "^(Scan|Scan Backward) using "+list.Index+"$", scan, plan)
	}
	require.NotRegexp(t, `Sort +\(`, plan)
}

// Even if one address or asset has most of the disputes, its disputes are not searched for
// among all disputes in the same state.
func TestPlans_ManyDisputes(t *testing.T) {
	t.Parallel()
	for index, test := range map[string]struct {
		values string
		filter dispute.Filter
	}{
		// The disputes of the busy address are REJECTED, all others OPEN.
		"apguard_disputes_email": {
			"n, CASE WHEN n % 25 = 0 THEN 'key ' || n ELSE 'busy' END, CASE WHEN n % 25 = 0 THEN 'OPEN' ELSE 'REJECTED' END",
			dispute.Filter{Email: "busy"},
		},
		// All are of the first asset, and OPEN.
		"apguard_disputes_asset": {
			"1, 'key ' || n, 'OPEN'",
			dispute.Filter{Identity: plantest.Identity()},
		},
	} {
		t.Run(index, func(t *testing.T) {
			t.Parallel()
			dsn := newDatabase(t)
			migrate(t, dsn)
			execute(t, dsn, `INSERT INTO apguard_assets (type, identity_hash, canonical, status)
					SELECT 0, sha256(('c' || n)::BYTEA), 'c' || n, 1 FROM generate_series(1, 100000) n;
				INSERT INTO apguard_disputes (content, email, description, assignee, created_at, updated_at, asset_id, email_key, state)
					SELECT '', '', '', 0, n * 10, 0, `+test.values+` FROM generate_series(1, 100000) n;
				ANALYZE apguard_assets, apguard_disputes`)
			on := connect(t, dsn)
			for _, oldestFirst := range []bool{false, true} {
				statement := plantest.Build(t, postgres.Dialect().Disputes(dispute.ListRequest{
					Filter: test.filter, OldestFirst: oldestFirst, Limit: 20,
				}))
				list := plantest.DisputeList{Index: index, Parts: len(dispute.States())}
				requireIndexOrder(t, explain(t.Context(), t, on, statement), list)
				requireIndexOrder(t, explainPrepared(t.Context(), t, on, statement), list)
			}
		})
	}
}
