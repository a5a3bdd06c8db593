package postgres_test

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
	"github.com/apguard/apguard/storage/internal/test/feedtest"
	"github.com/apguard/apguard/storage/postgres"
)

// service is what has to go on when a primary fails: adders on two servers, a follower of the feed,
// and a mirror on a read-only store. Nothing of it is opened again.
type service struct {
	*adders
	store  *postgres.Store
	mirror *mirror.Mirror
	copies *feed.Replica

	following sync.WaitGroup
	done      chan struct{}
	followed  []asset.FeedEntry
}

func startService(t *testing.T, dsn string) *service {
	t.Helper()
	first, second := open(t, dsn), open(t, dsn)
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	var running sync.WaitGroup
	for _, store := range []*postgres.Store{first, second} {
		running.Go(func() { _ = apguard.New(store, apguard.Options{}).Run(ctx) }) // it returns the error of ctx
	}
	reading := apguard.New(openReadOnly(t, dsn), apguard.Options{})
	m := mirror.New(mirror.Options{})
	copies := feed.NewReplica(feed.FromServices(reading.Assets, reading.Feed), feed.Options{Views: []feed.View{m}})
	s := &service{store: second, mirror: m, copies: copies, done: make(chan struct{})}
	running.Go(func() { _ = s.copies.Run(ctx) })
	t.Cleanup(func() {
		stop()
		running.Wait()
	})
	s.following.Go(func() { s.follow(t) })
	s.adders = startAdders(t, first, second)
	return s
}

// follow follows the feed until done is closed and there are no more changes.
func (s *service) follow(t *testing.T) {
	t.Helper()
	var after asset.FeedCursor
	for last := false; t.Context().Err() == nil; {
		complete := true
		for entry, err := range asset.NewFeedService(s.store).Follow(t.Context(), after) {
			if err != nil {
				if !isTemporary(err) {
					t.Error(err)
					return
				}
				complete = false
				break
			}
			s.followed, after = append(s.followed, entry), entry.Cursor
		}
		if last && complete {
			return
		}
		select {
		case <-s.done:
			last = true
		case <-time.After(retryPause):
		}
	}
}

// requireAll ends the additions and requires that the primary, the follower and the mirror have each
// acknowledged asset once.
func (s *service) requireAll(t *testing.T, primary string) {
	t.Helper()
	s.adders.requireAll(t, primary)
	publish(t, s.store)
	close(s.done)
	s.following.Wait()
	feedtest.RequireAll(t, s.store, s.followed)
	require.NoError(t, s.copies.Sync(t.Context()))
	require.EqualValues(t, s.total(), s.mirror.State().Assets)
}
