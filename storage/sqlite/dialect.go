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
