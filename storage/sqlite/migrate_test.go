package sqlite_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/test/subprocess"
	"github.com/apguard/apguard/storage/sqlite"
)

func TestMigrate_CurrentSchemaWritesNothing(t *testing.T) {
	t.Parallel()
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			path := newFile(t)
			db := d.open(t, path, testSettings)
			require.NoError(t, sqlite.Migrate(t.Context(), db))
			other := d.open(t, path, testSettings)
			other.SetMaxOpenConns(1)
			before := queryColumn(t, other, "PRAGMA data_version")

			require.NoError(t, sqlite.Migrate(t.Context(), db))
			require.Equal(t, before, queryColumn(t, other, "PRAGMA data_version"))
			requireEachMigrationOnce(t, db)
		})
	}
}

// The tables of one driver serve all others.
func TestMigrate_TablesOfAnotherDriver(t *testing.T) {
	t.Parallel()
	path := newFile(t)
	for _, d := range drivers() {
		db := d.open(t, path, testSettings)
		require.NoError(t, sqlite.Migrate(t.Context(), db), d.name)
		requireEachMigrationOnce(t, db)
		newStore(t, db, sqlite.Options{})
	}
}

func TestMigrate_NewerSchema(t *testing.T) {
	t.Parallel()
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			db := d.database(t)
			_, err := db.ExecContext(t.Context(), "INSERT INTO apguard_schema_version (version_id, is_applied) VALUES (999, 1)")
			require.NoError(t, err)
			_, err = sqlite.New(t.Context(), db, sqlite.Options{})
			require.ErrorIs(t, err, storage.ErrNewerSchema)
			require.ErrorContains(t, err, "999")
			require.ErrorIs(t, sqlite.Migrate(t.Context(), db), storage.ErrNewerSchema)
		})
	}
}

func TestMigrate_NotADatabase(t *testing.T) {
	t.Parallel()
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			path := newFile(t)
			require.NoError(t, os.WriteFile(path, bytes.Repeat([]byte("text\n"), 1000), 0o600))
			db := d.open(t, path, requiredSettings)
			_, err := sqlite.New(t.Context(), db, sqlite.Options{})
			require.ErrorIs(t, err, sqlite.ErrNotADatabase)
			require.NotErrorIs(t, err, sqlite.ErrSettings)
			require.ErrorIs(t, sqlite.Migrate(t.Context(), db), sqlite.ErrNotADatabase)
		})
	}
}

func TestMigrate_Context(t *testing.T) {
	t.Parallel()
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			db := d.open(t, newFile(t), testSettings)
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			_, err := sqlite.New(ctx, db, sqlite.Options{})
			require.ErrorIs(t, err, context.Canceled)
			require.NotErrorIs(t, err, sqlite.ErrSettings)
			require.ErrorIs(t, sqlite.Migrate(ctx, db), context.Canceled)
		})
	}
}

// With deferred transactions, concurrent migrations conflict more often.
func TestMigrate_ConcurrentGoroutines(t *testing.T) {
	t.Parallel()
	const goroutines = 8
	rounds := testsize.Of(1, 3, 5)
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			for range rounds {
				path := newFile(t)
				subprocess.CallTogether(t, goroutines, func(int) error { return migrateAndOpen(t.Context(), d, path) })
				requireEachMigrationOnce(t, d.open(t, path, testSettings))
			}
		})
	}
}

func migrateAndOpen(ctx context.Context, d hostDriver, path string) error {
	connector, err := d.connect("file:" + path + "?" + deferredSettings)
	if err != nil {
		return err
	}
	db := sql.OpenDB(connector)
	if err := sqlite.Migrate(ctx, db); err != nil {
		return errors.Join(err, db.Close())
	}
	store, err := sqlite.New(ctx, db, sqlite.Options{})
	if err != nil {
		return errors.Join(err, db.Close())
	}
	return errors.Join(store.Close(), db.Close())
}

// requireEachMigrationOnce requires that each migration ran once.
func requireEachMigrationOnce(t *testing.T, db *sql.DB) {
	t.Helper()
	versions := queryColumn(t, db, "SELECT version_id FROM apguard_schema_version ORDER BY version_id")
	require.Greater(t, len(versions), 1)
	require.Equal(t, queryColumn(t, db, "SELECT DISTINCT version_id FROM apguard_schema_version ORDER BY version_id"), versions,
		"a migration ran twice")
}
