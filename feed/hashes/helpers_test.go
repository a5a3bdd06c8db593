package hashes_test

import (
	"bytes"
	"context"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/hashlist"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/hashes"
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

// newPostgres opens a store whose changes are published until the end of the test.
func newPostgres(tb testing.TB) storage.Store {
	tb.Helper()
	store, err := postgres.Open(tb.Context(), postgrestest.WithParameter(tb, postgrestest.NewDatabase(tb), "pool_max_conns", "5"), postgres.Options{})
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

// filled is an Origin with the Replica that fills it when it is refreshed.
type filled struct {
	*hashes.Origin

	replica *feed.Replica
}

func newOrigin(store storage.Store, opts hashes.Options) filled {
	return newFilled(feed.FromServices(asset.NewService(store, asset.Options{}), asset.NewFeedService(store)), opts)
}

func newFilled(source feed.Source, opts hashes.Options) filled {
	o := hashes.New(opts)
	return filled{o, feed.NewReplica(source, feed.Options{Views: []feed.View{o}})}
}

// refresh gives an Origin every change that was committed before the call.
func refresh(t require.TestingT, o filled) {
	called := time.Now()
	for o.replica.State().ReadAt.Before(called) { // with PostgreSQL, changes are published a little later
		require.NoError(t, o.replica.Refresh(context.Background()))
	}
}

// fetchFrom returns a function that fetches from an Origin.
func fetchFrom(o filled) hashlist.Fetch {
	return func(_ context.Context, version string) (hashlist.Response, error) {
		response, err := o.Since(version)
		return hashlist.Response{Data: response.Data, AsOf: time.Now().Add(-response.Age), Rules: classify.Version}, err
	}
}

// contentsOf returns what a list holds, in the form of a whole response.
func contentsOf(t require.TestingT, l *hashlist.List) []byte {
	var file bytes.Buffer
	require.NoError(t, l.Save(&file))
	const before, after = len("apguard hash list 2\n") + 16, 32
	return file.Bytes()[before : file.Len()-after]
}
