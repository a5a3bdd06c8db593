// Package upgradetest tests that the migrations of an SQL store keep what older versions stored.
//
// Each version of the schema has a file testdata/versions/N.sql beside the tests of the store, with the
// statements that insert the rows which that version stored. A file is never changed once its version
// is released.
package upgradetest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/test/fixtures"
)

// update makes tests write the files of the newest version.
var update = flag.Bool("update", false, "write the schema and the rows of the newest version to testdata")

// Engine creates and opens databases of one kind of store, by their names.
type Engine struct {
	// Newest is the newest version of the schema.
	Newest int64
	// Create creates a database without rows that has a version of the schema.
	Create func(tb testing.TB, version int64) (name string)
	// Execute executes statements.
	Execute func(tb testing.TB, name, statements string)
	// Open opens a store, which upgrades the schema. The test closes it.
	Open func(tb testing.TB, name string) storage.Store
	// Schema describes the tables and indexes.
	Schema func(tb testing.TB, name string) string
	// Rows returns statements that replace all rows by those of a database.
	Rows func(tb testing.TB, name string) string
	// Empty empties the tables. It returns a function that returns the name of an empty database each
	// time, whose schema is that of name.
	Empty func(tb testing.TB, name string) func(tb testing.TB) string
	// Conform runs the conformance suite. Its runs are brief, as those of a new schema are not.
	Conform func(t *testing.T, open func(t *testing.T) storage.Store)
}

// Run runs the tests.
func Run(t *testing.T, engine Engine) {
	t.Helper()
	t.Run("the schema is that of the newest version", func(t *testing.T) {
		file := filepath.Join("testdata", "versions", fmt.Sprintf("%d.schema", engine.Newest))
		requireFile(t, file, engine.Schema(t, engine.Create(t, engine.Newest)))
	})
	if *update {
		name := engine.Create(t, engine.Newest)
		fill(t, engine.Open(t, name))
		require.NoError(t, os.WriteFile(fileOf(engine.Newest), []byte(engine.Rows(t, name)), 0o600))
	}
	for version := int64(1); version <= engine.Newest; version++ {
		statements, err := os.ReadFile(fileOf(version))
		require.NoError(t, err, "a migration comes with the rows of its version; run the test with -update")
		t.Run(fmt.Sprint("from version ", version), func(t *testing.T) {
			t.Parallel()
			requireUpgrade(t, engine, version, string(statements))
		})
	}
}

// requireUpgrade requires that an upgraded store has the same records as one that was filled anew, and
// that it is as good as a new one when it is emptied.
func requireUpgrade(t *testing.T, engine Engine, version int64, statements string) {
	t.Helper()
	name := engine.Create(t, version)
	engine.Execute(t, name, statements)
	upgraded, filled := engine.Open(t, name), engine.Open(t, engine.Create(t, engine.Newest))
	fill(t, filled)
	want, got := fixtures.Records(t, filled), fixtures.Records(t, upgraded)
	require.Len(t, got, len(want))
	for kind := range want {
		require.Equal(t, want[kind], got[kind], kind)
	}
	require.NoError(t, upgraded.Close())
	emptied := engine.Empty(t, name)
	engine.Conform(t, func(t *testing.T) storage.Store {
		t.Helper()
		return engine.Open(t, emptied(t))
	})
}

// requireFile requires that a file has the text, or writes it.
func requireFile(tb testing.TB, path, text string) {
	tb.Helper()
	if *update {
		require.NoError(tb, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(tb, os.WriteFile(path, []byte(text), 0o600)) //nolint:gosec // a file of the test
	}
	want, err := os.ReadFile(path) //nolint:gosec // a file of the test
	require.NoError(tb, err)
	require.Equal(tb, strings.Split(string(want), "\n"), strings.Split(text, "\n"),
		"a released schema is not changed; write a migration")
}

func fileOf(version int64) string {
	return filepath.Join("testdata", "versions", strconv.FormatInt(version, 10)+".sql")
}
