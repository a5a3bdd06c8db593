//go:build cgo

package sqlite_test

import (
	"context"
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage/internal/test/fixtures"
	"github.com/apguard/apguard/storage/internal/test/subprocess"
	"github.com/apguard/apguard/storage/sqlite"
)

// openTasks returns the tasks that call Open.
func openTasks() map[string]subprocess.Task {
	all := map[string]subprocess.Task{
		"open":               openTask,
		"open error":         openErrorTask,
		"write until killed": writeUntilKilledTask,
		"lock":               lockTask,
		"write":              writeTask,
		"record changes":     recordChangesTask,
	}
	maps.Copy(all, umaskTasks())
	maps.Copy(all, diskTasks())
	return all
}

// openTask opens the database at the signal and writes to it.
func openTask(path string) string {
	subprocess.AwaitStart()
	return subprocess.Result(fixtures.WriteOnce(sqlite.Open(context.Background(), path, longTimeout())))
}

func TestOpen_ConcurrentProcesses(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	const processes = 6
	for range testsize.Of(0, 4, 12) {
		path := newFile(t)
		subprocess.RunTogether(t, processes, "open", path)
		requireGroups(t, path, processes)
	}
}

// requireGroups requires that n groups are stored and that each migration ran once.
func requireGroups(t *testing.T, path string, n int) {
	t.Helper()
	store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	groups, err := store.Groups(t.Context(), 1)
	require.NoError(t, err)
	require.Len(t, groups, n)

	_, reader := sqlite.Pools(store)
	requireEachMigrationOnce(t, reader)
}

// openErrorTask opens the database and returns the name of the error.
func openErrorTask(path string) string {
	store, err := sqlite.Open(context.Background(), path, sqlite.Options{})
	switch {
	case err == nil:
		return errors.Join(errors.New(subprocess.OK), store.Close()).Error()
	case errors.Is(err, sqlite.ErrReadOnly) && strings.Contains(err.Error(), path):
		return "read-only"
	default:
		return err.Error()
	}
}
