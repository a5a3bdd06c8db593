//go:build cgo

package sqlite

import "github.com/apguard/apguard/report"

// ReportBlockStatement returns how the store asks for the next block of reports,
// and whether it does.
func ReportBlockStatement(req report.ListRequest, below int64) (Statement, bool, error) {
	query, ok := dialect().ReportBlock(req, below)
	sql, args, err := query.ToSql()
	return Statement{sql, args}, ok, err
}
