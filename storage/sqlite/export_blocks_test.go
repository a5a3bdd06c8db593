//go:build cgo

package sqlite

import "github.com/apguard/apguard/report"

// ReportBlockStatement returns how the store asks for the next block of reports,
// and whether it does.
func ReportBlockStatement(organizationID int64, filter report.Filter, below int64) (Statement, bool, error) {
	query, ok := dialect().ReportBlock(organizationID, filter, below)
	sql, args, err := query.ToSql()
	return Statement{sql, args}, ok, err
}
