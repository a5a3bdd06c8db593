package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"

	"github.com/apguard/apguard/storage"
)

// versionTable holds which migrations the database has seen.
const versionTable = "apguard_schema_version"

//go:embed migrations/*.sql
var migrations embed.FS

// migrate brings the schema up to date. It writes nothing when it is so already.
//
// Other stores may do the same at this moment. goose takes no lock that spans
// looking and applying, so each migration is applied by the store that comes
// first, and fails for the others. They look again and go on from there.
func (s *Store) migrate(ctx context.Context) error {
	versions, err := database.NewStore(goose.DialectSQLite3, versionTable)
	if err != nil {
		return err
	}
	provider, err := newProvider(s.writer)
	if err != nil {
		return err
	}
	sources := provider.ListSources()
	newest := sources[len(sources)-1].Version

	current, err := schemaVersion(ctx, s.reader, versions)
	if err != nil || current == newest {
		return err
	}
	if current > newest {
		return fmt.Errorf("%w: it has version %d, this program knows versions up to %d",
			storage.ErrNewerSchema, current, newest)
	}
	if err := s.createVersionTable(ctx, versions); err != nil {
		return err
	}
	err = whileBusy(ctx, s.busyTimeout, func() error {
		_, err := provider.Up(ctx)
		return err
	})
	if err == nil {
		return nil
	}
	reached, lookErr := schemaVersion(ctx, s.reader, versions)
	if lookErr != nil || reached == current {
		return err
	}
	return s.migrate(ctx)
}

func newProvider(db *sql.DB) (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.DialectSQLite3, db, files,
		goose.WithTableName(versionTable),
		goose.WithDisableGlobalRegistry(true),
		goose.WithLogger(goose.NopLogger()))
}

// schemaVersion returns the newest version that was applied, or 0.
func schemaVersion(ctx context.Context, db database.DBTxConn, versions database.Store) (int64, error) {
	exists, err := hasVersionTable(ctx, db)
	if err != nil || !exists {
		return 0, err
	}
	return versions.GetLatestVersion(ctx, db)
}

// createVersionTable creates the table of versions unless it is there. goose would
// do so too, but when two stores do it at the same moment, one of them fails and
// sleeps for a second before it tries again.
func (s *Store) createVersionTable(ctx context.Context, versions database.Store) error {
	tx, err := s.begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after a commit there is nothing to undo
	exists, err := hasVersionTable(ctx, tx)
	if err != nil || exists {
		return err
	}
	if err := versions.CreateVersionTable(ctx, tx); err != nil {
		return err
	}
	if err := versions.Insert(ctx, tx, database.InsertRequest{Version: 0}); err != nil {
		return err
	}
	return tx.Commit()
}

func hasVersionTable(ctx context.Context, db database.DBTxConn) (bool, error) {
	var exists bool
	err := db.QueryRowContext(ctx,
		"SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?)", versionTable).Scan(&exists)
	return exists, err
}
