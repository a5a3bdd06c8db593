//go:build cgo

package sqlite_test

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/schema"
	"github.com/apguard/apguard/storage/internal/sqlstore"
	"github.com/apguard/apguard/storage/internal/test/upgradetest"
	"github.com/apguard/apguard/storage/sqlite"
	"github.com/apguard/apguard/storage/storagetest"
)

func TestMigrations(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	newest, err := schemaOf(t, openFile(t, newFile(t))).Newest()
	require.NoError(t, err)
	upgradetest.Run(t, upgradetest.Engine{
		Newest: newest,
		Create: func(tb testing.TB, version int64) string {
			tb.Helper()
			path := newFile(tb)
			require.NoError(tb, schemaOf(tb, openFile(tb, path)).MigrateTo(tb.Context(), version))
			return path
		},
		Execute: executeFile,
		Open: func(tb testing.TB, path string) storage.Store {
			tb.Helper()
			store, err := sqlite.Open(tb.Context(), path, sqlite.Options{Reclassify: true})
			require.NoError(tb, err)
			tb.Cleanup(func() { require.NoError(tb, store.Close()) })
			return store
		},
		Schema: func(tb testing.TB, path string) string {
			tb.Helper()
			return strings.Join(queryColumn(tb, openFile(tb, path), `SELECT sql || ';' FROM sqlite_master
				WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%' ORDER BY type DESC, name`), "\n\n") + "\n"
		},
		Rows: rowStatements,
		Empty: func(tb testing.TB, path string) func(testing.TB) string {
			tb.Helper()
			tables := sqlstore.Tables()
			slices.Reverse(tables)
			executeFile(tb, path, "DELETE FROM "+strings.Join(tables, "; DELETE FROM "))
			return copier(tb, path)
		},
		Conform: func(t *testing.T, open func(t *testing.T) storage.Store) {
			t.Helper()
			storagetest.Run(t, open, briefSuite()...)
		},
	})
}

// rowStatements returns statements that replace all rows by those of the database.
func rowStatements(tb testing.TB, path string) string {
	tb.Helper()
	db := openFile(tb, path)
	tables := append(sqlstore.Tables(), "apguard_store", "apguard_pruned", "apguard_rules")
	var statements strings.Builder
	for _, table := range tables {
		columns := queryColumn(tb, db, "SELECT name FROM pragma_table_info('"+table+"') ORDER BY cid")
		values := "quote(" + strings.Join(columns, ") || ', ' || quote(") + ")"
		fmt.Fprintf(&statements, "DELETE FROM %s;\n", table)
		for _, row := range queryColumn(tb, db, "SELECT "+values+" FROM "+table+" ORDER BY 1") {
			fmt.Fprintf(&statements, "INSERT INTO %s (%s) VALUES (%s);\n", table, strings.Join(columns, ", "), row)
		}
	}
	return statements.String()
}

func schemaOf(tb testing.TB, db *sql.DB) *schema.Schema {
	tb.Helper()
	s, err := sqlite.Schema(db)
	require.NoError(tb, err)
	return s
}

func executeFile(tb testing.TB, path, statements string) {
	tb.Helper()
	db := openFile(tb, path)
	_, err := db.ExecContext(tb.Context(), statements)
	require.NoError(tb, err)
	require.NoError(tb, db.Close()) // the file has all that the write-ahead log had
}

// openFile opens a database without a store.
func openFile(tb testing.TB, path string) *sql.DB {
	tb.Helper()
	return drivers()[0].open(tb, path, testSettings)
}
