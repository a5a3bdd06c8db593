package sqlstore

import (
	"context"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/storage"
)

const rulesVersion = `SELECT version FROM apguard_rules WHERE id = 1`

// Ping implements storage.Store.
func (s *Store) Ping(ctx context.Context) error {
	return s.engine.Read(ctx, short("ping"), Ping)
}

// Ping is the step of [Store.Ping]. Its query has no placeholders. A newer program may have reclassified the database
// since it was opened.
func Ping(ctx context.Context, on Conn) error {
	var version int
	if err := (session{Conn: on, dialect: Dialect{Placeholders: squirrel.Question}}).get(ctx, rulesVersion, nil, &version); err != nil {
		return err
	}
	return storage.CheckRules(version, false)
}
