package sqlstore

import (
	"context"

	"github.com/Masterminds/squirrel"
)

// anyOrganization looks into a table of the service, as a database without them can
// answer nothing.
const anyOrganization = `SELECT EXISTS (SELECT 1 FROM apguard_organizations)`

// Ping implements storage.Store.
func (s *Store) Ping(ctx context.Context) error {
	return s.engine.Read(ctx, short("ping"), Ping)
}

// Ping is the step of [Store.Ping]. Its query has no placeholders.
func Ping(ctx context.Context, on Conn) error {
	var found bool
	return session{Conn: on, dialect: Dialect{Placeholders: squirrel.Question}}.get(ctx, anyOrganization, nil, &found)
}
