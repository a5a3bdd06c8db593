package sqlite_test

import (
	"database/sql"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/sqlite"
)

func TestNew_Store(t *testing.T) {
	t.Parallel()
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			d.suite(t, func(t *testing.T, db *sql.DB) storage.Store {
				t.Helper()
				return newStore(t, db, sqlite.Options{})
			}, testsize.Of(briefSuite(), briefSuite(), nil)...)
		})
	}
}

// No step needs a second connection. This does not depend on the driver, so the fastest one
// runs the suite.
func TestNew_StoreWithOneConnection(t *testing.T) {
	t.Parallel()
	drivers()[0].suite(t, func(t *testing.T, db *sql.DB) storage.Store {
		t.Helper()
		db.SetMaxOpenConns(1)
		return newStore(t, db, sqlite.Options{})
	}, testsize.Of(briefSuite(), briefSuite(), nil)...)
}

func TestNew_Settings(t *testing.T) {
	t.Parallel()
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			for reason, settings := range map[string]string{
				"only the required settings": requiredSettings,
				"write-ahead logging":        requiredSettings + "&_journal_mode=WAL",
				"shortest busy timeout":      "_foreign_keys=1&_busy_timeout=1",
				"deferred transactions":      deferredSettings,
			} {
				t.Run(reason, func(t *testing.T) {
					t.Parallel()
					db := d.open(t, newFile(t), settings)
					require.NoError(t, sqlite.Migrate(t.Context(), db))
					store := newStore(t, db, sqlite.Options{})
					require.NoError(t, store.PutUser(t.Context(), account.User{ID: 1}, audit.Entry{}))
				})
			}
		})
	}
}

func TestNew_MissingSettings(t *testing.T) {
	t.Parallel()
	const (
		keys   = "PRAGMA foreign_keys must be 1"
		wait   = "PRAGMA busy_timeout must be above 0"
		writes = "PRAGMA query_only must be 0"
	)
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			for reason, test := range map[string]struct {
				settings string
				missing  []string
			}{
				"foreign keys":          {"_busy_timeout=5000&_foreign_keys=0", []string{keys}},
				"busy timeout":          {"_foreign_keys=1&_busy_timeout=0", []string{wait}},
				"read-only connections": {requiredSettings + "&_query_only=1", []string{writes}},
				"all settings":          {"_foreign_keys=0&_busy_timeout=0&_query_only=1", []string{keys, wait, writes}},
			} {
				t.Run(reason, func(t *testing.T) {
					t.Parallel()
					path := newFile(t)
					require.NoError(t, sqlite.Migrate(t.Context(), d.open(t, path, requiredSettings)))
					_, err := sqlite.New(t.Context(), d.open(t, path, test.settings), sqlite.Options{})
					require.ErrorIs(t, err, sqlite.ErrSettings)
					for _, missing := range test.missing {
						require.ErrorContains(t, err, missing)
					}
					require.Equal(t, len(test.missing), strings.Count(err.Error(), " must "), "%v", err)
				})
			}
		})
	}
}

// New checks for features of SQLite by using them.
func TestNew_MissingFeatures(t *testing.T) {
	t.Parallel()
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			for used, missing := range map[string]string{
				"pragma_table_list": "SQLite must be 3.37 or later",
				"json_each":         "SQLite must have its JSON functions",
			} {
				t.Run(missing, func(t *testing.T) {
					t.Parallel()
					db := d.openHooked(t, newFile(t), func(statement string) error {
						if strings.Contains(statement, used) {
							return driverError(codeError)
						}
						return nil
					})
					_, err := sqlite.New(t.Context(), db, sqlite.Options{})
					require.ErrorIs(t, err, sqlite.ErrSettings)
					require.ErrorContains(t, err, missing)
				})
			}
		})
	}
}

// A PRAGMA statement changes the setting of one connection only.
func TestNew_ChecksTwoConnections(t *testing.T) {
	t.Parallel()
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			for reason, test := range map[string]struct {
				connections int
				want        error
			}{
				"any number of connections": {0, sqlite.ErrSettings},
				"two connections":           {2, sqlite.ErrSettings},
				"one connection":            {1, nil},
			} {
				t.Run(reason, func(t *testing.T) {
					t.Parallel()
					db := d.open(t, newFile(t), "_busy_timeout=5000&_foreign_keys=0")
					db.SetMaxOpenConns(test.connections)
					_, err := db.ExecContext(t.Context(), "PRAGMA foreign_keys = 1")
					require.NoError(t, err)
					require.NoError(t, sqlite.Migrate(t.Context(), db))

					store, err := sqlite.New(t.Context(), db, sqlite.Options{})
					require.ErrorIs(t, err, test.want)
					if err == nil {
						require.NoError(t, store.Close())
					}
				})
			}
		})
	}
}

func TestNew_OlderSchema(t *testing.T) {
	t.Parallel()
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			db := d.open(t, newFile(t), testSettings)
			_, err := sqlite.New(t.Context(), db, sqlite.Options{})
			require.ErrorIs(t, err, storage.ErrOlderSchema)
			require.Empty(t, names(t, db), "New must not create anything")

			require.NoError(t, sqlite.Migrate(t.Context(), db))
			newStore(t, db, sqlite.Options{})
		})
	}
}

func TestNew_InvalidOptions(t *testing.T) {
	t.Parallel()
	for reason, test := range map[string]struct {
		opts   sqlite.Options
		fields []string
	}{
		"readers, which the pool limits": {sqlite.Options{Readers: 4}, []string{"Readers"}},
		"a negative busy timeout":        {sqlite.Options{BusyTimeout: -1}, []string{"BusyTimeout"}},
		"both":                           {sqlite.Options{Readers: 1, BusyTimeout: -1}, []string{"Readers", "BusyTimeout"}},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			_, err := sqlite.New(t.Context(), pureGo().database(t), test.opts)
			var input *asset.InputError
			require.ErrorAs(t, err, &input)
			fields := make([]string, len(input.Issues))
			for i, issue := range input.Issues {
				fields[i] = issue.Field
			}
			require.Equal(t, test.fields, fields)
		})
	}
}

func TestClose_HostDatabaseStaysOpen(t *testing.T) {
	t.Parallel()
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			db := d.database(t)
			store := newStore(t, db, sqlite.Options{})
			require.NoError(t, store.PutOrganization(t.Context(), account.Organization{ID: 1, Slug: "acme"}, audit.Entry{}))
			require.NoError(t, store.Close())
			require.ErrorIs(t, store.PutUser(t.Context(), account.User{ID: 1}, audit.Entry{}), storage.ErrClosed)
			_, err := store.OrganizationsByID(t.Context(), []int64{1})
			require.ErrorIs(t, err, storage.ErrClosed)

			require.NoError(t, db.PingContext(t.Context()))
			found, err := newStore(t, db, sqlite.Options{}).OrganizationsByID(t.Context(), []int64{1})
			require.NoError(t, err, "another store on the same database")
			require.Len(t, found, 1)
		})
	}
}

// The store does not change the settings of connections.
func TestNew_KeepsSettings(t *testing.T) {
	t.Parallel()
	for _, d := range drivers() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			db := d.open(t, newFile(t), testSettings)
			db.SetMaxOpenConns(1)
			before := settings(t, db)
			require.NoError(t, sqlite.Migrate(t.Context(), db))
			store := newStore(t, db, sqlite.Options{})
			require.NoError(t, store.PutUser(t.Context(), account.User{ID: 1}, audit.Entry{}))
			require.NoError(t, store.Close())
			require.Equal(t, before, settings(t, db))
		})
	}
}

// settings returns the settings of the only connection of a pool.
func settings(t *testing.T, db *sql.DB) map[string]string {
	t.Helper()
	found := make(map[string]string)
	for _, name := range []string{
		"foreign_keys", "busy_timeout", "query_only", "journal_mode", "synchronous", "cache_size",
		"wal_autocheckpoint", "journal_size_limit", "temp_store", "locking_mode", "defer_foreign_keys",
	} {
		var value string
		require.NoError(t, db.QueryRowContext(t.Context(), "PRAGMA "+name).Scan(&value))
		found[name] = value
	}
	return found
}

// names returns the names of all tables and indexes.
func names(t *testing.T, db *sql.DB) []string {
	t.Helper()
	return queryColumn(t, db, "SELECT name FROM sqlite_master ORDER BY name")
}
