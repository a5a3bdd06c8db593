package postgres_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/test/postgrestest"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/schema"
	"github.com/apguard/apguard/storage/internal/test/upgradetest"
	"github.com/apguard/apguard/storage/postgres"
	"github.com/apguard/apguard/storage/storagetest"
)

func TestMigrations(t *testing.T) {
	t.Parallel()
	withSchema := func(tb testing.TB, dsn string, do func(*schema.Schema) error) {
		tb.Helper()
		require.NoError(tb, postgres.WithSchema(newPool(tb, dsn), do))
	}
	var newest int64
	withSchema(t, newDatabase(t), func(s *schema.Schema) (err error) {
		newest, err = s.Newest()
		return err
	})
	upgradetest.Run(t, upgradetest.Engine{
		Newest: newest,
		Create: func(tb testing.TB, version int64) string {
			tb.Helper()
			dsn := newDatabase(tb)
			withSchema(tb, dsn, func(s *schema.Schema) error { return s.MigrateTo(tb.Context(), version) })
			return dsn
		},
		Execute: postgrestest.Execute,
		Open: func(tb testing.TB, dsn string) storage.Store {
			tb.Helper()
			store, err := postgres.Open(tb.Context(), withParameter(tb, dsn, "pool_max_conns", "10"), postgres.Options{Reclassify: true})
			require.NoError(tb, err)
			tb.Cleanup(func() { require.NoError(tb, store.Close()) })
			return store
		},
		Schema: describeSchema,
		Rows:   rowStatements,
		Empty: func(_ testing.TB, dsn string) func(testing.TB) string {
			return func(tb testing.TB) string {
				tb.Helper()
				execute(tb, dsn, resetStatements())
				return dsn
			}
		},
		Conform: func(t *testing.T, open func(t *testing.T) storage.Store) {
			t.Helper()
			storagetest.Run(t, open, briefSuite()...)
		},
	})
}

// describeSchema returns the columns, constraints, indexes and sequences, in an order of their own.
func describeSchema(tb testing.TB, dsn string) string {
	tb.Helper()
	lines := queryValue[[]string](tb, dsn, `
		WITH tables AS (SELECT oid, relname FROM pg_class
			WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r')
		SELECT array_agg(line ORDER BY line COLLATE "C") FROM (
			SELECT concat_ws(' ', 'column', relname || '.' || attname, format_type(atttypid, atttypmod),
				CASE WHEN attnotnull THEN 'NOT NULL' END,
				CASE attidentity WHEN 'd' THEN 'IDENTITY BY DEFAULT' WHEN 'a' THEN 'IDENTITY ALWAYS' END,
				'DEFAULT ' || pg_get_expr(adbin, adrelid),
				'COLLATE ' || (SELECT collname FROM pg_collation WHERE oid = attcollation AND collname <> 'default')) AS line
			FROM pg_attribute JOIN tables ON tables.oid = attrelid
			LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
			WHERE attnum > 0 AND NOT attisdropped
			UNION ALL
			SELECT concat_ws(' ', 'constraint', relname || '.' || conname, pg_get_constraintdef(pg_constraint.oid))
			FROM pg_constraint JOIN tables ON tables.oid = conrelid WHERE contype <> 'n'
			UNION ALL
			SELECT concat_ws(' ', 'index', replace(indexdef, current_schema() || '.', '')) FROM pg_indexes
			WHERE schemaname = current_schema()
			UNION ALL
			SELECT concat_ws(' ', 'sequence', sequencename, data_type, 'BY', increment_by, 'FROM', min_value, 'TO', max_value, 'CACHE', cache_size)
			FROM pg_sequences WHERE schemaname = current_schema()
			UNION ALL
			SELECT concat_ws(' ', 'options of', relname, array_to_string(reloptions, ', ')) FROM pg_class
			WHERE relnamespace = current_schema()::regnamespace AND reloptions IS NOT NULL
			UNION ALL
			SELECT concat_ws(' ', 'trigger', relname || '.' || tgname) FROM pg_trigger JOIN tables ON tables.oid = tgrelid
			WHERE NOT tgisinternal
		) AS lines`)
	return strings.Join(lines, "\n") + "\n"
}

// rowStatements returns statements that replace all rows by those of the database, and set its sequences.
func rowStatements(tb testing.TB, dsn string) string {
	tb.Helper()
	tables := queryValue[[]string](tb, dsn, `SELECT array_agg(relname::TEXT ORDER BY oid) FROM pg_class
		WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relname <> 'apguard_schema_version'`)
	var statements strings.Builder
	for _, table := range tables {
		columns := queryValue[[]string](tb, dsn, `SELECT array_agg(attname::TEXT ORDER BY attnum) FROM pg_attribute
			WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`, table)
		values := "concat_ws(', ', quote_nullable(" + strings.Join(columns, "::TEXT), quote_nullable(") + "::TEXT))"
		fmt.Fprintf(&statements, "DELETE FROM %s;\n", table)
		for _, row := range queryValue[[]string](tb, dsn, `SELECT array_agg(line ORDER BY line COLLATE "C")
			FROM (SELECT `+values+" AS line FROM "+table+") AS lines") {
			fmt.Fprintf(&statements, "INSERT INTO %s (%s) VALUES (%s);\n", table, strings.Join(columns, ", "), row)
		}
	}
	for _, line := range queryValue[[]string](tb, dsn, `SELECT array_agg(format('SELECT setval(%L, %s);', sequencename, last_value)
		ORDER BY sequencename) FROM pg_sequences WHERE schemaname = current_schema() AND last_value IS NOT NULL`) {
		statements.WriteString(line + "\n")
	}
	return statements.String()
}
