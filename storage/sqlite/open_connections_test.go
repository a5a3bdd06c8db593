//go:build cgo

package sqlite_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/sqlite"
)

func TestOpen_ConnectionSettings(t *testing.T) {
	t.Parallel()
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"), sqlite.Options{Readers: 5})
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	writer, reader := sqlite.Pools(store)
	common := map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1"}

	for i, connection := range connections(t, reader, 5) {
		for name, want := range common {
			require.Equal(t, want, pragma(t, connection, name), "%s of reader %d", name, i)
		}
		require.Equal(t, "5000", pragma(t, connection, "busy_timeout"))
		require.Equal(t, "1", pragma(t, connection, "query_only"))
	}
	for _, connection := range connections(t, writer, 1) {
		for name, want := range common {
			require.Equal(t, want, pragma(t, connection, name), "%s of the writer", name)
		}
	}
	require.Equal(t, 5, reader.Stats().MaxOpenConnections)
	require.Equal(t, 1, writer.Stats().MaxOpenConnections)
}

// connections takes n connections at the same time.
func connections(t *testing.T, pool *sql.DB, n int) []*sql.Conn {
	t.Helper()
	taken := make([]*sql.Conn, n)
	for i := range taken {
		connection, err := pool.Conn(t.Context())
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, connection.Close()) })
		taken[i] = connection
	}
	return taken
}

func pragma(t *testing.T, connection *sql.Conn, name string) string {
	t.Helper()
	var value string
	require.NoError(t, connection.QueryRowContext(t.Context(), "PRAGMA "+name).Scan(&value))
	return value
}

func TestOpen_ContextEndsWaitForWriter(t *testing.T) {
	t.Parallel()
	store := open(t, filepath.Join(t.TempDir(), "a.db"))
	writer, _ := sqlite.Pools(store)
	release := holdWriteLock(t, store)
	defer release()

	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- store.PutUser(ctx, account.User{ID: 1}, audit.Entry{}) }()
	require.Eventually(t, func() bool { return writer.Stats().WaitCount > 0 }, time.Minute, time.Millisecond)
	cancel()
	require.ErrorIs(t, <-done, context.Canceled)
}

// A short call is not interrupted while it reads, but it may wait for a connection.
func TestOpen_ContextEndsWaitForReader(t *testing.T) {
	t.Parallel()
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"), sqlite.Options{Readers: 1})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	_, reader := sqlite.Pools(store)
	connections(t, reader, 1)

	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- store.Ping(ctx) }()
	require.Eventually(t, func() bool { return reader.Stats().WaitCount > 0 }, time.Minute, time.Millisecond)
	cancel()
	require.ErrorIs(t, <-done, context.Canceled)
}

func TestOpen_ContextEndsWaitForOtherStore(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.db")
	holdWriteLock(t, open(t, path))
	waiting, err := sqlite.Open(t.Context(), path, sqlite.Options{BusyTimeout: time.Hour})
	require.NoError(t, err)
	defer func() { require.NoError(t, waiting.Close()) }()

	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, waiting.PutUser(ctx, account.User{ID: 1}, audit.Entry{}), context.DeadlineExceeded)
}

func TestOpen_BusyTimeout(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.db")
	release := holdWriteLock(t, open(t, path))
	short, err := sqlite.Open(t.Context(), path, sqlite.Options{BusyTimeout: 20 * time.Millisecond})
	require.NoError(t, err)
	defer func() { require.NoError(t, short.Close()) }()

	err = short.PutUser(t.Context(), account.User{ID: 1}, audit.Entry{})
	require.ErrorIs(t, err, sqlite.ErrBusy)
	require.ErrorContains(t, err, "sqlite: put user: ")

	release()
	require.NoError(t, short.PutUser(t.Context(), account.User{ID: 1}, audit.Entry{}))
}

func TestOpen_TwoWriters(t *testing.T) {
	t.Parallel()
	const writers, writes = 4, 25
	path := filepath.Join(t.TempDir(), "a.db")
	stores := make([]*sqlite.Store, 2)
	for i := range stores {
		store, err := sqlite.Open(t.Context(), path, longTimeout())
		require.NoError(t, err)
		defer func() { require.NoError(t, store.Close()) }()
		stores[i] = store
	}

	done := make(chan error)
	for i, store := range stores {
		for w := range writers {
			go func() { done <- writeStatuses(t.Context(), store, fmt.Sprintf("%d-%d", i, w), writes) }()
		}
	}
	for range len(stores) * writers {
		require.NoError(t, <-done)
	}
	for _, store := range stores {
		page, err := store.Changes(t.Context(), asset.ListChangesRequest{Limit: 1000})
		require.NoError(t, err)
		changes := page.Items
		require.Len(t, changes, len(stores)*writers*writes)
		ids := make(map[int64]bool)
		for _, change := range changes {
			ids[change.ID] = true
		}
		require.Len(t, ids, len(changes), "an ID was assigned twice")
	}
}

// writeStatuses blocks and allows an asset in turn.
func writeStatuses(ctx context.Context, store *sqlite.Store, name string, writes int) error {
	for i := range writes {
		status := asset.StatusBlocked
		if i%2 == 1 {
			status = asset.StatusAllowed
		}
		_, err := store.SetAssetStatuses(ctx, asset.SetStatusesCommand{
			Items:  []asset.StatusItem{{Identity: asset.Identity{Type: asset.TypeURL, Canonical: name}, Status: status}},
			Origin: asset.Origin{Cause: asset.CauseManual},
			At:     time.UnixMilli(int64(i)),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func TestClose_WaitsForRunningCalls(t *testing.T) {
	t.Parallel()
	store := open(t, filepath.Join(t.TempDir(), "a.db"))
	writer, _ := sqlite.Pools(store)
	release := holdWriteLock(t, store)

	written := make(chan error, 1)
	go func() { written <- store.PutUser(context.Background(), account.User{ID: 1}, audit.Entry{}) }()
	require.Eventually(t, func() bool { return writer.Stats().WaitCount > 0 }, time.Minute, time.Millisecond)
	closed := make(chan error, 1)
	go func() { closed <- store.Close() }()
	require.Eventually(t, func() bool {
		_, err := store.Groups(t.Context(), 1)
		return err != nil
	}, time.Minute, time.Millisecond, "Close did not begin")
	require.Empty(t, closed, "Close returned before a running call")

	release()
	require.NoError(t, <-written)
	require.NoError(t, <-closed)
	_, err := store.Groups(t.Context(), 1)
	require.ErrorIs(t, err, storage.ErrClosed)
	require.NoError(t, store.Close())
}
