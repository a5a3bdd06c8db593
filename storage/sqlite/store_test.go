//go:build cgo

package sqlite_test

import (
	"database/sql"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/sqlite"
	"github.com/apguard/apguard/storage/storagetest"
)

func TestStore(t *testing.T) {
	t.Parallel()
	newDatabase := databaseCopier(t)
	storagetest.Run(t, func(t *testing.T) storage.Store {
		t.Helper()
		return open(t, newDatabase(t))
	}, testsize.OfShort(storagetest.Brief(), nil)...)
}

// databaseCopier returns a function that returns the path of a new database of an empty store.
func databaseCopier(t *testing.T) func(tb testing.TB) (path string) {
	t.Helper()
	template := newFile(t)
	store, err := sqlite.Open(t.Context(), template, sqlite.Options{})
	require.NoError(t, err)
	require.NoError(t, store.Close())
	return copier(t, template)
}

// open opens a store that does not sync the disk, as no test cuts the power. The test closes it.
func open(tb testing.TB, path string) *sqlite.Store {
	tb.Helper()
	store, err := sqlite.Open(tb.Context(), path, sqlite.Options{})
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, store.Close()) })
	writer, _ := sqlite.Pools(store)
	for _, pool := range []*sql.DB{writer, sqlite.CheckpointDB(store)} { // of one connection each
		_, err := pool.ExecContext(tb.Context(), "PRAGMA synchronous = OFF")
		require.NoError(tb, err)
	}
	return store
}
