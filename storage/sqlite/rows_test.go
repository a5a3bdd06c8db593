package sqlite_test

import (
	"context"
	"database/sql"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// querier is a pool of connections or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// allRows returns all rows of all tables of the service, as text.
func allRows(tb testing.TB, in querier) map[string][]string {
	tb.Helper()
	found := make(map[string][]string)
	for _, table := range sqlstore.Tables() {
		found[table] = tableRows(tb, in, table)
	}
	return found
}

// tableRows returns all rows of a table, as text.
func tableRows(tb testing.TB, in querier, table string) []string {
	tb.Helper()
	rows, err := in.QueryContext(tb.Context(), "SELECT * FROM "+table+" ORDER BY 1, 2")
	require.NoError(tb, err)
	defer rows.Close() //nolint:errcheck // rows.Err is checked
	columns, err := rows.Columns()
	require.NoError(tb, err)
	var found []string
	for rows.Next() {
		values, places := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			places[i] = &values[i]
		}
		require.NoError(tb, rows.Scan(places...))
		found = append(found, fmt.Sprint(values))
	}
	require.NoError(tb, rows.Err())
	return found
}

// queryColumn returns the rows of a query for one column, as text.
func queryColumn(tb testing.TB, in querier, query string) []string {
	tb.Helper()
	rows, err := in.QueryContext(tb.Context(), query)
	require.NoError(tb, err)
	defer rows.Close() //nolint:errcheck // rows.Err is checked
	var found []string
	for rows.Next() {
		var one string
		require.NoError(tb, rows.Scan(&one))
		found = append(found, one)
	}
	require.NoError(tb, rows.Err())
	return found
}
