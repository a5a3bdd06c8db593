package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"io/fs"
	"time"

	"github.com/pressly/goose/v3"

	"github.com/apguard/apguard/storage/internal/schema"
)

//go:embed migrations/*.sql
var migrations embed.FS

// hasVersions is the query whether there is the table of versions.
const hasVersions = `SELECT EXISTS (SELECT 1 FROM sqlite_master
	WHERE type = 'table' AND name = '` + schema.VersionTable + `')`

// migrate brings the schema up to date. It writes nothing when it is so already.
func migrate(ctx context.Context, db *sql.DB, busyTimeout time.Duration) error {
	s, err := schemaOf(db)
	if err != nil {
		return err
	}
	return whileBusy(ctx, patientFor(busyTimeout), func() error { return s.Migrate(ctx) })
}

// checkSchema returns an error when the schema is not that of this program.
func checkSchema(ctx context.Context, db *sql.DB) error {
	s, err := schemaOf(db)
	if err != nil {
		return err
	}
	return s.Check(ctx)
}

func schemaOf(db *sql.DB) (*schema.Schema, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	return schema.New(db, goose.DialectSQLite3, hasVersions, files)
}
