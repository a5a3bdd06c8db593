//go:build cgo

package sqlite_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/sqlstore"
	"github.com/apguard/apguard/storage/sqlite"
)

func TestOpen_FileNames(t *testing.T) {
	t.Parallel()
	for reason, name := range map[string]string{
		"a simple name":                "plain.db",
		"no extension":                 "plain",
		"the start of a URI's query":   "a?b.db",
		"only a query":                 "?mode=memory",
		"the separators of a query":    "a&_query_only=1;b.db",
		"the start of a fragment":      "a#b.db",
		"a percent sign":               "100%.db",
		"an escape":                    "%41%00.db",
		"a plus sign":                  "a+b.db",
		"spaces":                       " a b .db",
		"quotes":                       "'a\"b`.db",
		"other scripts":                "Überprüfung 守護.db",
		"invalid UTF-8":                "\xff\xfe.db",
		"the start of a URI":           "file:a.db",
		"the start of an absolute URI": "file:a.db?mode=ro",
		"a backslash":                  "a\\b.db",
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := filepath.Join(dir, name)
			store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
			require.NoError(t, err)
			require.NoError(t, store.PutUser(t.Context(), account.User{ID: 1}, audit.Entry{}))
			require.NoError(t, store.Close())

			require.Equal(t, []string{name}, files(t, dir), "only this file must be left after Close")
			require.ErrorIs(t, open(t, path).Import(t.Context(), storage.Seed{}), storage.ErrNotEmpty)
		})
	}
}

// A relative path belongs to the working directory of Open, also for connections that are
// opened later.
func TestOpen_RelativePath(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	store := open(t, "file:relative?.db")
	t.Chdir(t.TempDir())

	_, reader := sqlite.Pools(store)
	for range 3 {
		connection, err := reader.Conn(t.Context())
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, connection.Close()) })
		var groups int
		require.NoError(t, connection.QueryRowContext(t.Context(), "SELECT count(*) FROM apguard_groups").Scan(&groups))
	}
	require.Contains(t, files(t, dir), "file:relative?.db")
}

func TestOpen_InvalidPath(t *testing.T) {
	t.Parallel()
	database := databaseBytes(t)
	damaged := bytes.Clone(database)
	copy(damaged[100:4096], bytes.Repeat([]byte("damage"), 1000))

	dir := t.TempDir()
	for reason, test := range map[string]struct {
		path    string
		content []byte // nil: no file
		want    error
	}{
		"an empty path":                     {"", nil, sqlite.ErrPath},
		"the name of an in-memory database": {":memory:", nil, sqlite.ErrPath},
		"a NUL":                             {filepath.Join(dir, "a\x00b"), nil, sqlite.ErrPath},
		"a directory":                       {dir, nil, sqlite.ErrPath},
		"a directory that does not exist":   {filepath.Join(dir, "none", "a.db"), nil, sqlite.ErrPath},
		"an overlong name":                  {filepath.Join(dir, strings.Repeat("a", 300)), nil, sqlite.ErrPath},
		"a text file":                       {filepath.Join(dir, "text"), bytes.Repeat([]byte("text\n"), 1000), sqlite.ErrNotADatabase},
		"a few bytes":                       {filepath.Join(dir, "few"), []byte{1, 2, 3}, sqlite.ErrNotADatabase},
		"the first bytes of a database":     {filepath.Join(dir, "first"), database[:600], sqlite.ErrNotADatabase},
		"a database without its end":        {filepath.Join(dir, "half"), database[:len(database)/2], sqlite.ErrNotADatabase},
		"a damaged database":                {filepath.Join(dir, "damaged"), damaged, sqlite.ErrNotADatabase},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			if test.content != nil {
				require.NoError(t, os.WriteFile(test.path, test.content, 0o600))
			}
			_, err := sqlite.Open(t.Context(), test.path, sqlite.Options{})
			require.ErrorIs(t, err, test.want)
			require.ErrorContains(t, err, "sqlite: open "+strconv.Quote(test.path))
		})
	}
}

func TestOpen_DirectoryIsAFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err := sqlite.Open(t.Context(), filepath.Join(file, "a.db"), sqlite.Options{})
	require.ErrorIs(t, err, sqlite.ErrPath)
}

func TestOpen_InvalidOptions(t *testing.T) {
	t.Parallel()
	_, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"), sqlite.Options{BusyTimeout: -1, Readers: -1})
	var input *asset.InputError
	require.ErrorAs(t, err, &input)
	require.Len(t, input.Issues, 2)
}

func TestOpen_Context(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "a.db"), sqlite.Options{})
	require.ErrorIs(t, err, context.Canceled)
}

func TestOpen_NewerSchema(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.db")
	newer := open(t, path)
	writer, _ := sqlite.Pools(newer)
	_, err := writer.ExecContext(t.Context(), "INSERT INTO apguard_schema_version (version_id, is_applied) VALUES (999, 1)")
	require.NoError(t, err)

	_, err = sqlite.Open(t.Context(), path, sqlite.Options{})
	require.ErrorIs(t, err, storage.ErrNewerSchema)
	require.ErrorContains(t, err, "999")
	require.ErrorContains(t, err, path)
	require.ErrorContains(t, err, "use the version of this library that created the file", "the remedy")
}

func TestOpen_CurrentSchemaWritesNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.db")
	require.NoError(t, os.WriteFile(path, databaseBytes(t), 0o600))
	before, err := os.ReadFile(path)
	require.NoError(t, err)

	store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	require.NoError(t, err)
	if log, err := os.Stat(path + "-wal"); err == nil {
		require.Zero(t, log.Size(), "the write-ahead log must be empty")
	}
	require.NoError(t, store.Close())
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, before, after)
}

func TestOpen_DoesNotWaitForWriter(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.db")
	holdWriteLock(t, open(t, path))
	store, err := sqlite.Open(t.Context(), path, sqlite.Options{BusyTimeout: time.Hour})
	require.NoError(t, err)
	require.NoError(t, store.Close())
}

// The host application may have its own tables in the file.
func TestOpen_OtherTables(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.db")
	store := open(t, path)
	writer, _ := sqlite.Pools(store)
	_, err := writer.ExecContext(t.Context(), "CREATE TABLE host_rows (id INTEGER PRIMARY KEY); INSERT INTO host_rows VALUES (7)")
	require.NoError(t, err)

	again := open(t, path)
	require.NoError(t, again.Import(t.Context(), storage.Seed{}), "rows of the host application must not count")
	_, reader := sqlite.Pools(again)
	var id int
	require.NoError(t, reader.QueryRowContext(t.Context(), "SELECT id FROM host_rows").Scan(&id))
	require.Equal(t, 7, id)
}

func TestMigrations_Names(t *testing.T) {
	t.Parallel()
	_, reader := sqlite.Pools(open(t, filepath.Join(t.TempDir(), "a.db")))
	rows, err := reader.QueryContext(t.Context(),
		"SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid")
	require.NoError(t, err)
	defer rows.Close() //nolint:errcheck // rows.Err is checked
	var tables []string
	for rows.Next() {
		var kind, name, definition string
		require.NoError(t, rows.Scan(&kind, &name, &definition))
		require.Regexp(t, "^apguard_[a-z_]+$", name)
		if kind == "table" && name != "apguard_schema_version" {
			tables = append(tables, name)
			require.Contains(t, definition, "STRICT", name)
		}
	}
	require.NoError(t, rows.Err())
	require.Equal(t, append(sqlstore.Tables(), "apguard_store", "apguard_pruned", "apguard_rules"), tables)
}

// databaseBytes returns the database file of an empty store.
func databaseBytes(t *testing.T) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.db")
	store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	require.NoError(t, err)
	require.NoError(t, store.Close())
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	return content
}

// files returns the names of the files in the directory.
func files(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	names := make([]string, len(entries))
	for i, entry := range entries {
		names[i] = entry.Name()
	}
	return names
}

// holdWriteLock keeps the store and others from writing until the end of the test or the call
// of release.
func holdWriteLock(t *testing.T, store *sqlite.Store) (release func()) {
	t.Helper()
	writer, _ := sqlite.Pools(store)
	tx, err := writer.BeginTx(context.Background(), nil)
	require.NoError(t, err)
	release = func() { _ = tx.Rollback() }
	t.Cleanup(release)
	return release
}
