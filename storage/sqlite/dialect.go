package sqlite

import (
	"strconv"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/storage/internal/sqlstore"
)

func dialect() sqlstore.Dialect {
	return sqlstore.Dialect{
		Placeholders: squirrel.Question,
		Position:     "instr",
		AnyOf:        anyOf,
		Following:    following(),
	}
}

// following goes by the identifiers. They grow from one commit to the next, as one
// transaction writes at a time, and AUTOINCREMENT keeps the largest.
func following() sqlstore.Following {
	return sqlstore.Following{
		Position: "c.id",
		Behind:   "c.id > ?",
		State: `SELECT s.id, COALESCE((SELECT q.seq FROM sqlite_sequence q WHERE q.name = 'apguard_changes'), 0), 0
			FROM apguard_store s`,
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
