package feed_test

import (
	"context"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/test/postgrestest"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/storage/postgres"
	"github.com/apguard/apguard/storage/sqlite"
)

// stores are functions that return a new, empty store.
func stores() map[string]func(tb testing.TB) storage.Store {
	memoryOnly := map[string]func(tb testing.TB) storage.Store{"memory": newMemory}
	all := map[string]func(tb testing.TB) storage.Store{"memory": newMemory, "sqlite": newSQLite, "postgres": newPostgres}
	return testsize.OfShort(memoryOnly, all)
}

func newMemory(testing.TB) storage.Store { return memory.New() }

func newSQLite(tb testing.TB) storage.Store {
	tb.Helper()
	store, err := sqlite.Open(tb.Context(), filepath.Join(tb.TempDir(), "assets.db"), sqlite.Options{})
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, store.Close()) })
	return store
}

func newPostgres(tb testing.TB) storage.Store {
	tb.Helper()
	return openPostgres(tb, postgrestest.NewDatabase(tb))
}

// openPostgres opens a store whose changes are published until the end of the test.
func openPostgres(tb testing.TB, dsn string) storage.Store {
	tb.Helper()
	store, err := postgres.Open(tb.Context(), postgrestest.WithParameter(tb, dsn, "pool_max_conns", "5"), postgres.Options{})
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, store.Close()) })
	ctx, stop := context.WithCancel(context.WithoutCancel(tb.Context()))
	var publishing sync.WaitGroup
	publishing.Go(func() {
		for next := time.Tick(time.Millisecond); ctx.Err() == nil; <-next {
			_ = asset.NewFeedService(store).Publish(ctx) // it is repeated
		}
	})
	tb.Cleanup(func() {
		stop()
		publishing.Wait()
	})
	return store
}
