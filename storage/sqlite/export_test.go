//go:build cgo

package sqlite

import (
	"context"
	"database/sql"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

// Pools returns the connections of a store.
func Pools(s *Store) (writer, reader *sql.DB) { return s.writer, s.reader }

// Statement is a query as a store sends it.
type Statement struct {
	SQL  string
	Args []any
}

// ChangesStatement returns how the store asks for a page of changes.
func ChangesStatement(filter asset.ChangeFilter, after asset.ChangeCursor) (Statement, error) {
	sql, args, err := dialect().Changes(filter, after, asset.MaxChangePage).ToSql()
	return Statement{sql, args}, err
}

// ReportsStatement returns how the store asks for a page of reports.
func ReportsStatement(organizationID int64, filter report.Filter, cursor int64) (Statement, error) {
	sql, args, err := dialect().Reports(organizationID, filter, cursor, report.MaxLimit).ToSql()
	return Statement{sql, args}, err
}

// ProposalsStatement returns how the store asks for the proposals of reports.
func ProposalsStatement(reportIDs []int64) (Statement, error) {
	sql, args, err := dialect().Proposals(reportIDs).ToSql()
	return Statement{sql, args}, err
}

// Plan returns the steps in which SQLite answers the query.
func (s Statement) Plan(ctx context.Context, db *sql.DB) ([]string, error) {
	rows, err := db.QueryContext(ctx, "EXPLAIN QUERY PLAN "+s.SQL, s.Args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err says what went wrong
	var steps []string
	for rows.Next() {
		var (
			id, parent, unused int
			step               string
		)
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			return nil, err
		}
		steps = append(steps, step)
	}
	return steps, rows.Err()
}
