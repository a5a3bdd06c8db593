// Package schema brings the tables of a store on an SQL database up to date.
package schema

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"

	"github.com/apguard/apguard/storage"
)

// VersionTable holds which migrations the database has seen.
const VersionTable = "apguard_schema_version"

// uniqueVersions makes each migration happen once, whatever it does: goose inserts
// its version in the same transaction.
const uniqueVersions = "CREATE UNIQUE INDEX " + VersionTable + "_version ON " + VersionTable + " (version_id)"

// Schema is the schema of one database.
type Schema struct {
	db          *sql.DB
	dialect     goose.Dialect
	hasVersions string
	migrations  fs.FS
	versions    database.Store
}

// New returns the schema of the database. hasVersions is the query whether there
// is a [VersionTable]; the migrations are files as goose has them.
func New(db *sql.DB, dialect goose.Dialect, hasVersions string, migrations fs.FS) (*Schema, error) {
	versions, err := database.NewStore(dialect, VersionTable)
	if err != nil {
		return nil, err
	}
	return &Schema{db: db, dialect: dialect, hasVersions: hasVersions, migrations: migrations, versions: versions}, nil
}

// Check returns storage.ErrOlderSchema or storage.ErrNewerSchema when the schema
// is not the newest that there are migrations for.
func (s *Schema) Check(ctx context.Context) error {
	provider, err := s.provider()
	if err != nil {
		return err
	}
	current, err := s.current(ctx)
	if err != nil {
		return err
	}
	newest := newestOf(provider)
	if current < newest {
		return fmt.Errorf("%w: it has version %d, this program needs %d", storage.ErrOlderSchema, current, newest)
	}
	return checkNotNewer(current, newest)
}

// Migrate brings the schema up to date. It writes nothing when it is so already,
// and returns storage.ErrNewerSchema when it is newer.
//
// Other programs may do the same at this moment. goose takes no lock that spans
// looking and applying, so each migration is applied by the one that comes first,
// and fails for the others. They look again and go on from there.
func (s *Schema) Migrate(ctx context.Context) error {
	// A provider looks for the table of versions once only.
	provider, err := s.provider()
	if err != nil {
		return err
	}
	current, err := s.current(ctx)
	newest := newestOf(provider)
	if err != nil || current == newest {
		return err
	}
	if err := checkNotNewer(current, newest); err != nil {
		return err
	}
	if err := s.createVersionTable(ctx); err != nil {
		return err
	}
	_, err = provider.Up(ctx)
	if err == nil {
		return nil
	}
	reached, lookErr := s.current(ctx)
	if lookErr != nil || reached == current {
		return err
	}
	return s.Migrate(ctx)
}

// checkNotNewer returns an error when the schema is newer than this program.
func checkNotNewer(current, newest int64) error {
	if current > newest {
		return fmt.Errorf("%w: it has version %d, this program knows versions up to %d",
			storage.ErrNewerSchema, current, newest)
	}
	return nil
}

func (s *Schema) provider() (*goose.Provider, error) {
	return goose.NewProvider(s.dialect, s.db, s.migrations,
		goose.WithTableName(VersionTable),
		goose.WithDisableGlobalRegistry(true),
		goose.WithLogger(goose.NopLogger()))
}

// newestOf returns the newest version that there is a migration for.
func newestOf(provider *goose.Provider) int64 {
	sources := provider.ListSources()
	return sources[len(sources)-1].Version
}

// current returns the newest version that was applied, or 0.
func (s *Schema) current(ctx context.Context) (int64, error) {
	exists, err := s.hasVersionTable(ctx, s.db)
	if err != nil || !exists {
		return 0, err
	}
	return s.versions.GetLatestVersion(ctx, s.db)
}

// createVersionTable creates the table of versions unless it is there. goose would
// do so too, but when two programs do it at the same moment, one of them fails and
// sleeps for a second before it tries again.
func (s *Schema) createVersionTable(ctx context.Context) error {
	err := s.tryCreateVersionTable(ctx)
	if err == nil {
		return nil
	}
	// Another program may have created it in between.
	exists, lookErr := s.hasVersionTable(ctx, s.db)
	if lookErr != nil || !exists {
		return errors.Join(err, lookErr)
	}
	return nil
}

func (s *Schema) tryCreateVersionTable(ctx context.Context) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after a commit there is nothing to undo
	exists, err := s.hasVersionTable(ctx, tx)
	if err != nil || exists {
		return err
	}
	if err := s.versions.CreateVersionTable(ctx, tx); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, uniqueVersions); err != nil {
		return err
	}
	if err := s.versions.Insert(ctx, tx, database.InsertRequest{Version: 0}); err != nil {
		return err
	}
	return tx.Commit()
}

func (s *Schema) hasVersionTable(ctx context.Context, db database.DBTxConn) (bool, error) {
	var exists bool
	err := db.QueryRowContext(ctx, s.hasVersions).Scan(&exists)
	return exists, err
}
