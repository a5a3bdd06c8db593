// Package plantest has statements and filters for tests of the query plans of SQL stores.
package plantest

import (
	"cmp"
	"testing"

	"github.com/Masterminds/squirrel"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
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

// BuildReports returns the statements for a page of reports: one for the whole page, or
// two, for the next block and for the reports of that block.
func BuildReports(tb testing.TB, dialect sqlstore.Dialect, req report.ListRequest) []Statement {
	tb.Helper()
	below := cmp.Or(req.Cursor, asset.MaxID+1)
	block, ok := dialect.ReportBlock(req, below)
	if !ok {
		return []Statement{Build(tb, dialect.Reports(req))}
	}
	return []Statement{Build(tb, block), Build(tb, dialect.ReportsOfBlock(req, 1, below))}
}
