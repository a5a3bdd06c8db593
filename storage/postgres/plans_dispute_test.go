package postgres_test

import (
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/storage/postgres"
)

// disputes inserts 60,000 disputes of 250 assets by 240 addresses. The newest are OPEN, and
// one in a hundred of the others.
const disputes = `
	INSERT INTO apguard_disputes (asset_id, content, email, email_key, description, state, created_at, updated_at)
		SELECT 1 + n % 250, '', '', 'key ' || (n / 250),  '',
			CASE WHEN n % 101 = 7 OR n > 59000 THEN 'OPEN' WHEN n % 2 = 0 THEN 'ACCEPTED' ELSE 'REJECTED' END, n * 10, 0
		FROM generate_series(1, 60000) n;
	`

// plansOfDisputes requires that every page of disputes is read from an index in order, so that
// it reads at most the rows of one page for each state, however many disputes there are.
func plansOfDisputes(t *testing.T, dsn string) {
	t.Helper()
	on := connect(t, dsn)
	var (
		one     = asset.Identity{Type: asset.TypeURL, Canonical: "c7"}
		rare    = []dispute.State{dispute.StateOpen}
		several = []dispute.State{dispute.StateAccepted, dispute.StateRejected}
		period  = asset.Period{Since: time.UnixMilli(100_000), Before: time.UnixMilli(500_000)}
	)
	for name, test := range map[string]struct {
		filter dispute.Filter
		index  string
		parts  int
	}{
		"all":                   {dispute.Filter{}, "apguard_disputes_state", 5},
		"a period":              {dispute.Filter{Created: period}, "apguard_disputes_state", 5},
		"a state":               {dispute.Filter{States: rare}, "apguard_disputes_state", 1},
		"several states":        {dispute.Filter{States: several}, "apguard_disputes_state", 2},
		"a state and a period":  {dispute.Filter{States: rare, Created: period}, "apguard_disputes_state", 1},
		"an asset":              {dispute.Filter{Identity: one}, "apguard_disputes_asset", 5},
		"an asset and a period": {dispute.Filter{Identity: one, Created: period}, "apguard_disputes_asset", 5},
		"an asset and states":   {dispute.Filter{Identity: one, States: several}, "apguard_disputes_asset", 2},
		"an address":            {dispute.Filter{Email: "key 7"}, "apguard_disputes_email", 5},
		"an address, a period":  {dispute.Filter{Email: "key 7", Created: period}, "apguard_disputes_email", 5},
		"an address and states": {dispute.Filter{Email: "key 7", States: several}, "apguard_disputes_email", 2},
	} {
		for page, cursor := range map[string]dispute.Cursor{"first page": {}, "later page": {At: time.UnixMilli(300_000), ID: 30_000}} {
			for _, oldestFirst := range []bool{false, true} {
				t.Run(name+", "+page, func(t *testing.T) {
					statement, err := postgres.DisputesStatement(dispute.ListRequest{
						Filter: test.filter, Cursor: cursor, OldestFirst: oldestFirst, Limit: 10,
					})
					require.NoError(t, err)
					readInOrder(t, explain(t.Context(), t, on, statement), test.index, test.parts)
					readInOrder(t, explainPrepared(t.Context(), t, on, statement), test.index, test.parts)
				})
			}
		}
	}
	// There is at most one dispute.
	statement, err := postgres.DisputesStatement(dispute.ListRequest{Filter: dispute.Filter{Identity: one, Email: "key 7"}, Limit: 10})
	require.NoError(t, err)
	readInOrder(t, explain(t.Context(), t, on, statement), "apguard_disputes_asset_email", 1)
}

// readInOrder requires that the disputes of each part are read from the index, in its order.
// Sorting the few rows of all parts together is allowed.
func readInOrder(t *testing.T, plan, index string, parts int) {
	t.Helper()
	scans := regexp.MustCompile(`(Scan|Scan Backward) (using|on) apguard_disputes\S*`).FindAllString(plan, -1)
	require.Len(t, scans, parts, plan)
	for _, scan := range scans {
		require.Regexp(t, "^(Scan|Scan Backward) using "+index+"$", scan, plan)
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
			dispute.Filter{Identity: asset.Identity{Type: asset.TypeURL, Canonical: "c7"}},
		},
	} {
		t.Run(index, func(t *testing.T) {
			t.Parallel()
			dsn := database(t)
			migrated(t, dsn)
			execute(t, dsn, `INSERT INTO apguard_assets (type, canonical_hash, canonical, status)
					SELECT 'URL', sha256(('c' || n)::BYTEA), 'c' || n, 'ALLOWED' FROM generate_series(1, 100000) n;
				INSERT INTO apguard_disputes (content, email, description, created_at, updated_at, asset_id, email_key, state)
					SELECT '', '', '', n * 10, 0, `+test.values+` FROM generate_series(1, 100000) n;
				ANALYZE`)
			on := connect(t, dsn)
			for _, oldestFirst := range []bool{false, true} {
				statement, err := postgres.DisputesStatement(dispute.ListRequest{Filter: test.filter, OldestFirst: oldestFirst, Limit: 20})
				require.NoError(t, err)
				readInOrder(t, explain(t.Context(), t, on, statement), index, 5)
				readInOrder(t, explainPrepared(t.Context(), t, on, statement), index, 5)
			}
		})
	}
}
