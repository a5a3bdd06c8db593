package sqlite

import (
	"bytes"
	"strconv"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/storage/internal/sqlstore"
)

func dialect() sqlstore.Dialect {
	return sqlstore.Dialect{
		Placeholders: squirrel.Question,
		Position:     "instr",
		AnyOf:        anyOf,
		AnyIdentity:  anyIdentity,
		InRange:      inRange,
		Reserved:     func(column string) string { return column },
		Feed:         feedDialect(),
	}
}

// anyOf passes the values as one JSON array.
func anyOf(column string, values []int64) squirrel.Sqlizer {
	array := []byte{'['}
	for i, value := range values {
		if i > 0 {
			array = append(array, ',')
		}
		array = strconv.AppendInt(array, value, 10)
	}
	return squirrel.Expr(column+" IN (SELECT value FROM json_each(?))", string(append(array, ']')))
}

// anyIdentity passes the hashes as one text. The query cuts it into pieces.
func anyIdentity(hashes [][]byte) squirrel.Sqlizer {
	return squirrel.Expr(`identity_hash IN (
			WITH RECURSIVE piece (start) AS (SELECT 1 UNION ALL SELECT start + ? FROM piece WHERE start < ?)
			SELECT substr(?, start, ?) FROM piece)`,
		sqlstore.IdentityHashSize, sqlstore.IdentityHashSize*(len(hashes)-1), bytes.Join(hashes, nil), sqlstore.IdentityHashSize)
}

// inRange has a condition for each column, which SQLite finds in an index that ends with
// the ID.
func inRange(ids sqlstore.IDRange) squirrel.Sqlizer {
	same := make(squirrel.And, len(ids.Columns))
	for i, column := range ids.Columns {
		same[i] = squirrel.Eq{column: ids.Values[i]}
	}
	return squirrel.And{same, squirrel.GtOrEq{ids.ID: ids.First}, squirrel.Lt{ids.ID: ids.Below}}
}
