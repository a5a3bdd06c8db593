//go:build cgo

package sqlite_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/sqlite"
	"github.com/apguard/apguard/storage/storagetest"
)

func TestStore(t *testing.T) {
	t.Parallel()
	tables := emptyStores(t)
	storagetest.Run(t, func(t *testing.T) storage.Store {
		t.Helper()
		return open(t, tables(t))
	})
}

// emptyStores returns what makes new files that Open has made the tables in.
func emptyStores(t *testing.T) func(tb testing.TB) (path string) {
	t.Helper()
	made := newFile(t)
	store, err := sqlite.Open(t.Context(), made, sqlite.Options{})
	require.NoError(t, err)
	require.NoError(t, store.Close())
	return copier(t, made)
}

// open opens a store that is closed at the end of the test.
func open(tb testing.TB, path string) *sqlite.Store {
	tb.Helper()
	store, err := sqlite.Open(tb.Context(), path, sqlite.Options{})
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, store.Close()) })
	return store
}
