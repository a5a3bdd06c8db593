package postgres

import (
	"bytes"
	"slices"
	"strings"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/storage/internal/sqlstore"
)

func dialect() sqlstore.Dialect {
	return sqlstore.Dialect{
		Placeholders:  squirrel.Dollar,
		Position:      "strpos",
		Bytes:         func(column string) string { return "octet_length(" + column + ")" },
		AnyOf:         anyOf,
		JoinRow:       joinRow,
		LeftJoin:      leftJoin,
		ByHash:        byHash,
		InHashRanges:  inHashRanges,
		InRange:       inRange,
		Reserved:      func(column string) string { return column + " + 0" },
		OrderedParts:  true,
		ReusePlan:     "SELECT set_config('plan_cache_mode', 'force_generic_plan', TRUE)", // until the end of the message
		RenewPlan:     "SELECT set_config('plan_cache_mode', 'force_custom_plan', TRUE)",
		Lock:          " FOR NO KEY UPDATE",
		SkipLocked:    "FOR UPDATE SKIP LOCKED",
		CommitLocally: "SET LOCAL synchronous_commit = local",
		// Without statistics, the server would sort all reports of an organization for a page
		// of them, until it gathers some by itself.
		AfterImport: "ANALYZE " + strings.Join(sqlstore.Tables(), ", "),
		Feed:        feedDialect(),
	}
}

// anyOf passes the values as one array.
func anyOf(column string, values []int64) squirrel.Sqlizer {
	return squirrel.Expr(column+" = ANY (?)", values)
}

// joinRow has a limit, with which the server looks each row up. Otherwise it could compare each
// row with each one of a range.
func joinRow(table, name, column string) string {
	return "CROSS JOIN LATERAL (SELECT * FROM " + table + " o WHERE o.id = " + column + " LIMIT 1) " + name
}

// leftJoin has an offset, with which the server looks each row up.
func leftJoin(table, condition string) string {
	_, name, _ := strings.Cut(table, " ")
	return " LEFT JOIN LATERAL (SELECT * FROM " + table + " WHERE " + condition + " OFFSET 0) " + name + " ON TRUE"
}

// byHash passes the hashes as one array. It looks each of them up: with ANY, the server could keep
// a plan from when the table was small, which compares each row with each hash.
func byHash(columns string, hashes [][]byte) squirrel.Sqlizer {
	slices.SortFunc(hashes, bytes.Compare)
	hashes = slices.CompactFunc(hashes, bytes.Equal)
	return squirrel.Expr(`SELECT `+columns+` FROM unnest(?::BYTEA[]) AS wanted (hash)
		CROSS JOIN LATERAL (SELECT * FROM apguard_assets o WHERE o.identity_hash = wanted.hash LIMIT 1) a`, hashes)
}

// inHashRanges passes the ends as arrays.
func inHashRanges(columns string, first, last [][]byte, limit int) squirrel.Sqlizer {
	return squirrel.Expr(`SELECT `+columns+` FROM unnest(?::BYTEA[], ?::BYTEA[]) AS bounds (first, last)
		CROSS JOIN LATERAL (SELECT * FROM apguard_assets o WHERE o.identity_hash BETWEEN bounds.first AND bounds.last
			ORDER BY o.identity_hash LIMIT ?) a`, first, last, limit)
}

// inRange compares all columns at once. With a condition for each column, the server could
// read the index of the IDs and skip the rows with other values.
func inRange(ids sqlstore.IDRange) squirrel.Sqlizer {
	row := "(" + strings.Join(append(slices.Clone(ids.Columns), ids.ID), ", ") + ")"
	values := "(" + squirrel.Placeholders(len(ids.Columns)+1) + ")"
	return squirrel.And{
		squirrel.Expr(row+" >= "+values, append(slices.Clone(ids.Values), ids.First)...),
		squirrel.Expr(row+" < "+values, append(slices.Clone(ids.Values), ids.Below)...),
	}
}
