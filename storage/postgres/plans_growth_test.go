package postgres_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/internal/test/fixtures"
	"github.com/apguard/apguard/storage/postgres"
)

// Plans that the server makes for any arguments on empty tables without statistics scan no table. A
// connection may keep them while the tables grow.
func TestPlans_EmptyTables(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	migrate(t, dsn)
	// The queue is never analyzed by the other tests, because it is nearly empty.
	for table := range strings.SplitSeq(strings.TrimPrefix(analyze, "ANALYZE ")+", apguard_dispute_queue", ",") {
		execute(t, dsn, "ALTER TABLE "+table+" SET (autovacuum_enabled = off)")
	}
	on := connect(t, withParameter(t, dsn, "plan_cache_mode", "force_generic_plan"))
	for _, calls := range []map[string]fixtures.Call{fixtures.FrequentReads(), fixtures.Writes()} {
		for name, call := range calls {
			tx, err := on.Begin(t.Context())
			require.NoError(t, err)
			fixtures.Fill(t, postgres.InTx(tx))
			fixtures.FillRemovable(t, postgres.InTx(tx))
			require.NoError(t, call(t.Context(), postgres.InTx(tx)), name)
			require.NoError(t, tx.Rollback(t.Context()))
			execute(t, dsn, resetStatements())
		}
	}
	plans := preparedPlans(t, on)
	require.Greater(t, len(plans), 60)
	fewRows := strings.NewReplacer("Seq Scan on apguard_locks", "", "Seq Scan on apguard_store", "", "Seq Scan on apguard_lists", "")
	// Ping reads one row. The others are left to discardPlans: removals, most of which are steps in
	// the background, changes of all keys of a user, and the proposals of a page of reports.
	scanning := regexp.MustCompile(`^SELECT EXISTS \(SELECT 1 FROM apguard_organizations\)$|^DELETE |email_key = CAST|` +
		`apguard_proposals .*report_id = ANY|FROM apguard_keys WHERE user_id`)
	for statement, plan := range plans {
		if !scanning.MatchString(statement) {
			require.NotContains(t, fewRows.Replace(plan), "Seq Scan on apguard_", statement)
		}
		if strings.Contains(statement, "FROM apguard_allowlist e ") {
			require.Contains(t, plan, "Index Cond: (id = e.asset_id)", "each entry must be looked up: %s", statement)
		}
	}
}

// preparedPlans returns the plans of the statements that a connection has prepared for tables of the
// service.
func preparedPlans(t *testing.T, on *pgx.Conn) map[string]string {
	t.Helper()
	run := func(sql string) [][][]byte {
		results, err := on.PgConn().Exec(t.Context(), sql).ReadAll()
		require.NoError(t, err)
		return results[0].Rows
	}
	plans := make(map[string]string)
	for _, row := range run(`SELECT statement, 'EXPLAIN EXECUTE ' || name || COALESCE('(' || NULLIF(array_to_string(
			array_fill('NULL'::TEXT, ARRAY[cardinality(parameter_types)]), ', '), '') || ')', '')
		FROM pg_prepared_statements WHERE statement ~ '^(WITH|SELECT|INSERT|UPDATE|DELETE).*apguard_'`) {
		var plan strings.Builder
		for _, line := range run(string(row[1])) {
			plan.Write(append(line[0], '\n'))
		}
		plans[string(row[0])] = plan.String()
	}
	return plans
}

// A batch of checks is planned for the present size of the tables, however often it runs.
func TestStore_RenewsPlansOfBatches(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	store := open(t, withParameter(t, dsn, "pool_max_conns", "1"))
	block := fixtures.BlockCommand("a")
	for _, link := range fixtures.Links() {
		block.Items = append(block.Items, asset.StatusItem{Identity: link, Status: asset.StatusBlocked})
	}
	_, err := store.SetAssetStatuses(t.Context(), block)
	require.NoError(t, err)
	for range 7 {
		found, err := store.AssetsByIdentity(t.Context(), fixtures.Links())
		require.NoError(t, err)
		require.Len(t, found, 1000)
		_, err = store.SiteAssets(t.Context(), fixtures.Links()[0], 10)
		require.NoError(t, err)
	}
	on, err := postgres.Pool(store).Acquire(t.Context())
	require.NoError(t, err)
	defer on.Release()
	var statements, generic int
	require.NoError(t, on.QueryRow(t.Context(), `SELECT count(*), sum(generic_plans) FROM pg_prepared_statements
		WHERE statement ~ 'LATERAL.*identity_hash'`, pgx.QueryExecModeSimpleProtocol).Scan(&statements, &generic))
	require.Equal(t, 3, statements)
	require.Zero(t, generic)
}
