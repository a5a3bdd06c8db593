package asset_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
)

// looked counts the looks at a feed, and fails them if it has an error.
type looked struct {
	asset.FeedStore

	looks atomic.Int64
	err   atomic.Pointer[error]
}

func (l *looked) Feed(ctx context.Context) (asset.Feed, error) {
	l.looks.Add(1)
	if err := l.err.Load(); err != nil {
		return asset.Feed{}, *err
	}
	return l.FeedStore.Feed(ctx)
}

// waited runs Wait and returns a function that returns its error when it has returned.
func waited(ctx context.Context, feed *asset.FeedService, after asset.FeedCursor) func() error {
	ended := make(chan error, 1)
	go func() { ended <- feed.Wait(ctx, after) }()
	return func() error { return <-ended }
}

func TestFeedService_Wait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service := newHistory(t, 3)
		store := &looked{FeedStore: service.store}
		feed := asset.NewFeedService(store)
		block := func(name string) {
			_, err := service.SetStatus(t.Context(), asset.SetStatusRequest{Identity: url(name), Status: asset.StatusBlocked})
			require.NoError(t, err)
		}

		require.NoError(t, feed.Wait(t.Context(), asset.FeedCursor{}), "there are changes already")
		end, err := feed.End(t.Context())
		require.NoError(t, err)

		calls := make([]func() error, 100)
		for i := range calls {
			calls[i] = waited(t.Context(), feed, end)
		}
		store.looks.Store(0)
		time.Sleep(time.Minute)
		require.LessOrEqual(t, store.looks.Load(), int64(601), "all calls share the looks")
		block("new")
		began := time.Now()
		for _, call := range calls {
			require.NoError(t, call())
		}
		require.LessOrEqual(t, time.Since(began), 100*time.Millisecond)

		end, err = feed.End(t.Context())
		require.NoError(t, err)
		call := waited(t.Context(), feed, end)
		synctest.Wait()
		block("newer")
		end, err = feed.End(t.Context())
		require.NoError(t, err)
		newest := waited(t.Context(), feed, end)
		require.NoError(t, call())
		block("newest")
		require.NoError(t, newest(), "the latest look is older than the cursor")

		store.looks.Store(0)
		time.Sleep(time.Minute)
		require.LessOrEqual(t, store.looks.Load(), int64(1), "nothing is read while no call waits")

		end, err = feed.End(t.Context())
		require.NoError(t, err)
		call = waited(t.Context(), feed, end)
		block("later")
		require.NoError(t, call(), "a later call waits for later changes")
	})
}

func TestFeedService_Wait_Errors(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &looked{FeedStore: newHistory(t, 3).store}
		feed := asset.NewFeedService(store)
		end, err := feed.End(t.Context())
		require.NoError(t, err)

		ctx, cancel := context.WithCancel(t.Context())
		canceled, waiting := waited(ctx, feed, end), waited(t.Context(), feed, end)
		synctest.Wait()
		cancel()
		require.ErrorIs(t, canceled(), context.Canceled)
		require.ErrorIs(t, feed.Wait(t.Context(), asset.Feed{Store: asset.StoreID{1}}.Cursor(1)), asset.ErrForeignCursor)
		require.ErrorIs(t, feed.Wait(ctx, end), context.Canceled)

		down := errors.New("down")
		store.err.Store(&down)
		require.ErrorIs(t, waiting(), down)
		require.ErrorIs(t, feed.Wait(t.Context(), end), down)
		store.err.Store(nil)
		ctx, cancel = context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.ErrorIs(t, feed.Wait(ctx, end), context.DeadlineExceeded, "an error is not remembered")
	})
}

// Each change is found by a call that waits, whenever the calls begin and end.
func TestFeedService_Wait_Concurrent(t *testing.T) {
	t.Parallel()
	service := newHistory(t, 0)
	feed := asset.NewFeedService(service.store)
	const changes = 20
	var followers sync.WaitGroup
	for range 4 {
		followers.Go(func() {
			var cursor asset.FeedCursor
			for got := 0; got < changes; {
				if err := feed.Wait(t.Context(), cursor); err != nil {
					t.Error(err)
					return
				}
				page, err := feed.Since(t.Context(), cursor, 1)
				if err != nil || len(page) != 1 {
					t.Error("no change after Wait", err)
					return
				}
				got, cursor = got+1, page[0].Cursor
			}
		})
	}
	for i := range changes {
		status := []asset.Status{asset.StatusBlocked, asset.StatusAllowed}[i%2]
		_, err := service.SetStatus(t.Context(), asset.SetStatusRequest{Identity: url("a"), Status: status})
		require.NoError(t, err)
	}
	followers.Wait()
}
