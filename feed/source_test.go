package feed_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/mirror"
	"github.com/apguard/apguard/step"
	"github.com/apguard/apguard/storage"
)

// source is a store that tests replace and interrupt. Only what a mirror reads is of the
// present store.
type source struct {
	storage.Store

	mu      sync.Mutex
	current storage.Store
	before  func(operation string) error
	// behind is added to the state of the feed.
	behind time.Duration
}

// newSource returns a source that reads the store.
func newSource(store storage.Store) *source {
	return &source{current: store, before: func(string) error { return nil }}
}

// replace sets the store.
func (s *source) replace(store storage.Store) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current = store
}

// store returns the store.
func (s *source) store() storage.Store {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current
}

// interrupt sets a function that is called before each operation, and fails it.
func (s *source) interrupt(before func(operation string) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.before = before
}

func (s *source) begin(operation string) (storage.Store, error) {
	s.mu.Lock()
	before := s.before
	s.mu.Unlock()
	err := before(operation)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current, err
}

func (s *source) Assets(ctx context.Context, req asset.ListRequest) (step.Page[asset.Listed], error) {
	store, err := s.begin("Assets")
	if err != nil {
		return step.Page[asset.Listed]{}, err
	}
	return store.Assets(ctx, req)
}

func (s *source) Since(ctx context.Context, after asset.FeedCursor, limit int) (step.Page[asset.FeedEntry], error) {
	store, err := s.begin("Since")
	if err != nil {
		return step.Page[asset.FeedEntry]{}, err
	}
	return store.Since(ctx, after, limit)
}

func (s *source) Feed(ctx context.Context) (asset.Feed, error) {
	store, err := s.begin("Feed")
	if err != nil {
		return asset.Feed{}, err
	}
	feed, err := store.Feed(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	feed.Behind += s.behind
	feed.Unpublished = feed.Behind > 0
	return feed, err
}

// fallBehind sets how old the feed is.
func (s *source) fallBehind(behind time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.behind = behind
}

// copied is a mirror with the Replica that fills it.
type copied struct {
	*mirror.Mirror
	*feed.Replica
}

// state is the state of a Replica and the number of assets in the mirror.
type state struct {
	feed.State

	Assets int
}

func (c copied) State() state { return state{c.Replica.State(), c.Mirror.State().Assets} }

// newReplica returns a Replica of the store that does not run.
func newReplica(store storage.Store, opts feed.Options, mirrors ...mirror.Options) copied {
	return newCopied(feed.FromServices(asset.NewService(store, asset.Options{}), asset.NewFeedService(store)), opts, mirrors...)
}

func newCopied(source feed.Source, opts feed.Options, mirrors ...mirror.Options) copied {
	m := mirror.New(append(mirrors, mirror.Options{})[0])
	opts.Views = append(opts.Views, m)
	return copied{m, feed.NewReplica(source, opts)}
}

// start runs the Replica until the test ends or stop is called.
func start(tb testing.TB, m copied) (stop func()) {
	tb.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(tb.Context()))
	ended := make(chan error, 1)
	go func() { ended <- m.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		require.ErrorIs(tb, <-ended, context.Canceled)
	})
	tb.Cleanup(stop)
	return stop
}

// setStatus sets the status of the asset with the content.
func setStatus(tb testing.TB, guard *apguard.Guard, content string, status asset.Status) {
	tb.Helper()
	_, err := guard.SetStatus(tb.Context(), content, status, asset.Origin{})
	require.NoError(tb, err)
}

// events collects events.
type events chan feed.Event

func newEvents() events { return make(events, 100) }

func (e events) report(event feed.Event) { e <- event }

// next returns the kind of the next event.
func (e events) next() feed.EventKind { return (<-e).Kind }
