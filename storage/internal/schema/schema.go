// Package schema creates and upgrades the tables of an SQL store.
package schema

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"strconv"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"

	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/storage"
)

// VersionTable is the table of applied migrations.
const VersionTable = "apguard_schema_version"

// uniqueVersions makes each migration apply once: goose inserts its version in the same
// transaction.
const uniqueVersions = "CREATE UNIQUE INDEX " + VersionTable + "_version ON " + VersionTable + " (version_id)"

// Schema is the schema of one database.
type Schema struct {
	db          *sql.DB
	dialect     goose.Dialect
	hasVersions string
	migrations  fs.FS
	versions    database.Store
}

// New returns the schema of the database. hasVersions queries whether the
// [VersionTable] exists. The migrations are files in the format of goose, in the folder
// "migrations".
func New(db *sql.DB, dialect goose.Dialect, hasVersions string, migrations fs.FS) (*Schema, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	versions, err := database.NewStore(dialect, VersionTable)
	if err != nil {
		return nil, err
	}
	return &Schema{db: db, dialect: dialect, hasVersions: hasVersions, migrations: files, versions: versions}, nil
}

// CheckRules returns a storage.RulesError if storage.CheckRules does.
func (s *Schema) CheckRules(ctx context.Context, reclassify bool) error {
	version, err := s.rules(ctx)
	if err != nil {
		return err
	}
	return storage.CheckRules(version, reclassify)
}

// adoptRules gives a database without assets the rules of this program.
func (s *Schema) adoptRules(ctx context.Context) error {
	version, err := s.rules(ctx)
	if err != nil || version >= classify.Version {
		return err
	}
	_, err = s.db.ExecContext(ctx, adoptRules+strconv.Itoa(classify.Version)+emptyOlder+strconv.Itoa(classify.Version))
	return err
}

const (
	adoptRules = "UPDATE apguard_rules SET version = "
	emptyOlder = " WHERE NOT EXISTS (SELECT 1 FROM apguard_assets) AND version < "
)

func (s *Schema) rules(ctx context.Context) (version int, err error) {
	err = s.db.QueryRowContext(ctx, "SELECT version FROM apguard_rules").Scan(&version)
	return version, err
}

// Check returns storage.ErrOlderSchema or storage.ErrNewerSchema unless the schema has
// the version of the newest migration.
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
		return fmt.Errorf("%w: version %d, want %d", storage.ErrOlderSchema, current, newest)
	}
	return checkNotNewer(current, newest)
}

// Migrate upgrades the schema, and gives a database without assets the rules of this program. It
// writes nothing if both are current, and returns storage.ErrNewerSchema if the schema is newer.
//
// Other processes may migrate at the same time. goose holds no lock from its check to
// its migration, so each migration succeeds for the first process and fails for the
// others, which check again and continue.
func (s *Schema) Migrate(ctx context.Context) error {
	// A provider checks for the table of versions only once.
	provider, err := s.provider()
	if err != nil {
		return err
	}
	current, err := s.current(ctx)
	newest := newestOf(provider)
	if err != nil {
		return err
	}
	if current == newest {
		return s.adoptRules(ctx)
	}
	if err := checkNotNewer(current, newest); err != nil {
		return err
	}
	if err := s.createVersionTable(ctx); err != nil {
		return err
	}
	_, err = provider.Up(ctx)
	if err == nil {
		return s.adoptRules(ctx)
	}
	reached, currentErr := s.current(ctx)
	if currentErr != nil || reached == current {
		return err
	}
	return s.Migrate(ctx)
}

// checkNotNewer returns an error if the schema is newer than the newest migration.
func checkNotNewer(current, newest int64) error {
	if current > newest {
		return fmt.Errorf("%w: version %d, want at most %d", storage.ErrNewerSchema, current, newest)
	}
	return nil
}

func (s *Schema) provider() (*goose.Provider, error) {
	return goose.NewProvider(s.dialect, s.db, s.migrations,
		goose.WithTableName(VersionTable),
		goose.WithDisableGlobalRegistry(true),
		goose.WithLogger(goose.NopLogger()))
}

// newestOf returns the version of the newest migration.
func newestOf(provider *goose.Provider) int64 {
	sources := provider.ListSources()
	return sources[len(sources)-1].Version
}

// current returns the version of the database, or 0.
func (s *Schema) current(ctx context.Context) (int64, error) {
	exists, err := s.hasVersionTable(ctx, s.db)
	if err != nil || !exists {
		return 0, err
	}
	return s.versions.GetLatestVersion(ctx, s.db)
}

// createVersionTable creates the table of versions unless it exists. goose would too, but
// if two processes do so at the same time, one fails and sleeps for a second.
func (s *Schema) createVersionTable(ctx context.Context) error {
	err := s.tryCreateVersionTable(ctx)
	if err == nil {
		return nil
	}
	// Another process may have created it in between.
	exists, existsErr := s.hasVersionTable(ctx, s.db)
	if existsErr != nil || !exists {
		return errors.Join(err, existsErr)
	}
	return nil
}

func (s *Schema) tryCreateVersionTable(ctx context.Context) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // has no effect after a commit
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

// Newest returns the version of the newest migration.
func (s *Schema) Newest() (int64, error) {
	provider, err := s.provider()
	if err != nil {
		return 0, err
	}
	return newestOf(provider), nil
}

// MigrateTo upgrades an empty database to a version, for tests.
func (s *Schema) MigrateTo(ctx context.Context, version int64) error {
	provider, err := s.provider()
	if err != nil {
		return err
	}
	if err := s.createVersionTable(ctx); err != nil {
		return err
	}
	_, err = provider.UpTo(ctx, version)
	return err
}
