package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"time"

	"github.com/pressly/goose/v3"

	"github.com/apguard/apguard/storage/internal/schema"
)

//go:embed migrations/*.sql
var migrations embed.FS

// hasVersions queries whether the table of schema versions exists.
const hasVersions = `SELECT EXISTS (SELECT 1 FROM sqlite_master
	WHERE type = 'table' AND name = '` + schema.VersionTable + `')`

// migrate upgrades the schema. It writes nothing if the schema is current.
func migrate(ctx context.Context, db *sql.DB, busyTimeout time.Duration) error {
	s, err := schemaOf(db)
	if err != nil {
		return err
	}
	return retryWhileBusy(ctx, retryFor(busyTimeout), func() error { return s.Migrate(ctx) })
}

// checkSchema returns an error if the schema has another version, or the rules have.
func checkSchema(ctx context.Context, db *sql.DB, opts Options) error {
	s, err := schemaOf(db)
	if err != nil {
		return err
	}
	if err := s.Check(ctx); err != nil {
		return err
	}
	return s.CheckRules(ctx, opts.Reclassify)
}

func schemaOf(db *sql.DB) (*schema.Schema, error) {
	return schema.New(db, goose.DialectSQLite3, hasVersions, migrations)
}
