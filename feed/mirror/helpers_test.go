package mirror_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/mirror"
	"github.com/apguard/apguard/storage"
)

// copied is a mirror with the Replica that fills it.
type copied struct {
	*mirror.Mirror

	replica *feed.Replica
}

// newMirror returns a mirror of the store that does not run.
func newMirror(store storage.Store, opts mirror.Options) copied {
	m := mirror.New(opts)
	source := feed.FromServices(asset.NewService(store, asset.Options{}), asset.NewFeedService(store))
	return copied{m, feed.NewReplica(source, feed.Options{Views: []feed.View{m}})}
}

// start fills the mirror and lets it follow until the test ends or stop is called.
func start(tb testing.TB, c copied) (stop func()) {
	tb.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(tb.Context()))
	ended := make(chan error, 1)
	go func() { ended <- c.replica.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		require.ErrorIs(tb, <-ended, context.Canceled)
	})
	tb.Cleanup(stop)
	c.sync(tb)
	return stop
}

// sync waits until the mirror has all changes.
func (c copied) sync(tb testing.TB) {
	tb.Helper()
	require.NoError(tb, c.replica.Sync(tb.Context()))
}

// setStatus sets the status of the asset with the content.
func setStatus(tb testing.TB, guard *apguard.Guard, content string, status asset.Status) {
	tb.Helper()
	_, err := guard.SetStatus(tb.Context(), content, status, asset.Origin{})
	require.NoError(tb, err)
}
