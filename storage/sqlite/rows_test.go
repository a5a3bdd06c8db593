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

// everything returns all rows of all tables of the service, as texts.
func everything(tb testing.TB, in querier) map[string][]string {
	tb.Helper()
	found := make(map[string][]string)
	for _, table := range sqlstore.Tables() {
		found[table] = rowsOf(tb, in, table)
	}
	return found
}

func rowsOf(tb testing.TB, in querier, table string) []string {
	tb.Helper()
	rows, err := in.QueryContext(tb.Context(), "SELECT * FROM "+table+" ORDER BY 1, 2")
	require.NoError(tb, err)
	defer rows.Close() //nolint:errcheck // rows.Err says what went wrong
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

// column returns what a query for one column finds.
func column(tb testing.TB, in querier, query string) []string {
	tb.Helper()
	rows, err := in.QueryContext(tb.Context(), query)
	require.NoError(tb, err)
	defer rows.Close() //nolint:errcheck // rows.Err says what went wrong
	var found []string
	for rows.Next() {
		var one string
		require.NoError(tb, rows.Scan(&one))
		found = append(found, one)
	}
	require.NoError(tb, rows.Err())
	return found
}
