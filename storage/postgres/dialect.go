package postgres

import (
	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/storage/internal/sqlstore"
)

func dialect() sqlstore.Dialect {
	return sqlstore.Dialect{
		Placeholders: squirrel.Dollar,
		Position:     "strpos",
		AnyOf:        anyOf,
		Lock:         " FOR NO KEY UPDATE",
		SkipLocked:   " FOR UPDATE SKIP LOCKED",
		Feed:         feedDialect(),
	}
}

// anyOf passes the values as one array.
func anyOf(column string, values []int64) squirrel.Sqlizer {
	return squirrel.Expr(column+" = ANY (?)", values)
}
