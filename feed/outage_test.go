package feed_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/internal/test/postgrestest"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/storage/sqlite"
)

// The server terminates the connections of the store again and again. The mirror goes on, and
// answers all the time.
func TestReplica_Run_terminatedConnections(t *testing.T) {
	t.Parallel()
	dsn := postgrestest.NewDatabase(t)
	store := openPostgres(t, dsn)
	other := postgrestest.WithParameter(t, dsn, "application_name", "writer")
	guard := apguard.New(openPostgres(t, other), apguard.Options{})
	setStatus(t, guard, "example.com", asset.StatusBlocked)
	m := newReplica(store, feed.Options{Interval: time.Millisecond})
	start(t, m)
	require.NoError(t, m.Sync(t.Context()))
	for i := range 10 {
		postgrestest.Execute(t, other, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE application_name = current_setting('search_path')`)
		require.Equal(t, asset.StatusBlocked, statusOf(t, m, "example.com"))
		content := fmt.Sprintf("https://site-%d.example.org", i)
		setStatus(t, guard, content, asset.StatusBlocked)
		require.NoError(t, m.Sync(t.Context()))
		require.Equal(t, asset.StatusBlocked, statusOf(t, m, content))
	}
}

// A database file is closed, restored from a backup, and opened again.
func TestReplica_Run_restored(t *testing.T) {
	t.Parallel()
	path, backup := filepath.Join(t.TempDir(), "assets.db"), filepath.Join(t.TempDir(), "backup.db")
	open := func() storage.Store {
		store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
		require.NoError(t, err)
		return store
	}
	block := func(store storage.Store, content string) {
		setStatus(t, apguard.New(store, apguard.Options{}), content, asset.StatusBlocked)
	}
	store := open()
	block(store, "https://before.example")
	require.NoError(t, store.Close())
	copyFile(t, path, backup)

	store = open()
	block(store, "https://lost.example")
	source, events := newSource(store), newEvents()
	m := newReplica(source, feed.Options{Interval: time.Millisecond, OnEvent: events.report})
	start(t, m)
	require.Equal(t, feed.EventFilled, events.next())
	require.Equal(t, asset.StatusBlocked, statusOf(t, m, "https://lost.example"))

	require.NoError(t, store.Close())
	closed := <-events
	require.Equal(t, feed.EventFailed, closed.Kind)
	require.ErrorIs(t, closed.Err, storage.ErrClosed)
	require.Equal(t, asset.StatusBlocked, statusOf(t, m, "https://lost.example"), "it answers while the store is away")

	copyFile(t, backup, path)
	store = open()
	defer func() { require.NoError(t, store.Close()) }()
	source.replace(store)
	refused := <-events
	for errors.Is(refused.Err, storage.ErrClosed) { // each kind of read has another error text
		refused = <-events
	}
	require.Equal(t, feed.EventFailed, refused.Kind)
	require.ErrorIs(t, refused.Err, asset.ErrFutureCursor)
	require.Equal(t, feed.EventFilled, events.next())
	require.Equal(t, asset.StatusBlocked, statusOf(t, m, "https://before.example"))
	require.Equal(t, asset.StatusUnknown, statusOf(t, m, "https://lost.example"))
}

func copyFile(tb testing.TB, from, to string) {
	tb.Helper()
	source, err := os.Open(from)
	require.NoError(tb, err)
	defer source.Close() //nolint:errcheck // it is only read
	target, err := os.Create(to)
	require.NoError(tb, err)
	_, err = io.Copy(target, source)
	require.NoError(tb, err)
	require.NoError(tb, target.Close())
}

// Many check while the mirror follows. At each time, the page is blocked, the link is allowed,
// or both.
func TestReplica_concurrent(t *testing.T) {
	t.Parallel()
	guard := apguard.New(memory.New(), apguard.Options{})
	m := newCopied(feed.FromServices(guard.Assets, guard.Feed), feed.Options{Interval: time.Microsecond})
	const link, page = "https://example.com/x", "example.com"
	set := func(content string, status asset.Status) { setStatus(t, guard, content, status) }
	set(page, asset.StatusBlocked)
	start(t, m)
	require.NoError(t, m.Sync(t.Context()))

	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for ended := false; !ended; {
				select {
				case <-done:
					ended = true
				default:
				}
				verdict, err := m.Check(t.Context(), link)
				switch {
				case err != nil || verdict.Match == nil:
					t.Errorf("neither the page nor the link was found: %+v, %v", verdict, err)
				case (verdict.Match.Kind == classify.CoverExact) != (verdict.Status == asset.StatusAllowed):
					t.Errorf("a mixture of both: %+v", verdict)
				}
				m.State()
			}
		})
	}
	for i := range 200 {
		set(link, asset.StatusAllowed)
		set(page, asset.StatusUnknown)
		set(page, asset.StatusBlocked)
		set(link, asset.StatusUnknown)
		for j := range 20 { // the table grows
			set(fmt.Sprintf("https://site-%d-%d.example", i, j), asset.StatusBlocked)
		}
		if i%10 == 0 {
			require.NoError(t, m.Sync(t.Context()))
		}
	}
	require.NoError(t, m.Sync(t.Context()))
	close(done)
	readers.Wait()
	require.Equal(t, 4001, m.State().Assets)
}
