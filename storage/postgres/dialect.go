package postgres

import (
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
		ByIdentity:    byIdentity,
		InHashRanges:  inHashRanges,
		InRange:       inRange,
		Reserved:      func(column string) string { return column + " + 0" },
		OrderedParts:  true,
		ReusePlan:     "SELECT set_config('plan_cache_mode', 'force_generic_plan', TRUE)", // until the end of the message
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

// byIdentity passes the hashes as one array.
func byIdentity(columns string, hashes [][]byte) squirrel.Sqlizer {
	return squirrel.Expr("SELECT "+columns+" FROM apguard_assets WHERE identity_hash = ANY (?)", hashes)
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
