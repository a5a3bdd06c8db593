// Package plantest has statements and filters for tests of the query plans of SQL stores.
package plantest

import (
	"testing"

	"github.com/Masterminds/squirrel"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// Statement is a statement as a store sends it.
type Statement struct {
	SQL  string
	Args []any
}

// Build returns the statement of a query of the dialect.
func Build(tb testing.TB, query squirrel.Sqlizer) Statement {
	tb.Helper()
	sql, args, err := query.ToSql()
	require.NoError(tb, err)
	return Statement{sql, args}
}

// BuildReports returns the statements for a page of reports: the one that finds the last
// report to examine, and the one that searches up to that ID.
func BuildReports(tb testing.TB, dialect sqlstore.Dialect, req report.ListRequest, id int64) (last, page Statement) {
	tb.Helper()
	return Build(tb, dialect.LastExamined(req)), Build(tb, dialect.Reports(req, id))
}
