package feed_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/mirror"
	"github.com/apguard/apguard/step"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
)

func TestReplica_Refresh(t *testing.T) {
	t.Parallel()
	store := memory.New()
	guard := apguard.New(store, apguard.Options{})
	m := newReplica(store, feed.Options{})
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, m.Refresh(ended), context.Canceled)
	_, err := m.Check(t.Context(), "example.com")
	require.ErrorIs(t, err, mirror.ErrNotFilled)
	for _, status := range []asset.Status{asset.StatusBlocked, asset.StatusAllowed, asset.StatusUnknown} {
		setStatus(t, guard, "example.com", status)
		require.NoError(t, m.Refresh(t.Context()))
		require.Equal(t, status, statusOf(t, m, "example.com"))
	}
	start(t, m)
	require.NoError(t, m.Sync(t.Context()))
	require.ErrorIs(t, m.Refresh(t.Context()), feed.ErrRunning)
}

// The views continue with another store, also if one of them has no changes, and whether the history begins at the start
// of the feed or later.
func TestReplica_Refresh_replaced(t *testing.T) {
	t.Parallel()
	for reason, history := range map[string]int{"with the whole history": 10, "without history": 0} {
		full, other, empty := memory.New(), memory.New(), memory.New()
		setStatus(t, apguard.New(full, apguard.Options{}), "full.dev", asset.StatusBlocked)
		setStatus(t, apguard.New(other, apguard.Options{}), "other.dev", asset.StatusBlocked)
		source := newSource(empty)
		m := newReplica(source, feed.Options{Views: []feed.View{&recorder{history: history}}})
		for _, now := range []struct {
			store  storage.Store
			assets int
			name   string
		}{{empty, 0, ""}, {full, 1, "full.dev"}, {other, 1, "other.dev"}, {empty, 0, ""}, {full, 1, "full.dev"}} {
			source.replace(now.store)
			for range 3 { // an empty store can also be a server that is behind
				if m.Refresh(t.Context()) == nil {
					break
				}
			}
			require.NoError(t, m.Refresh(t.Context()), reason)
			require.Equal(t, now.assets, m.State().Assets, reason)
			if now.name != "" {
				require.Equal(t, asset.StatusBlocked, statusOf(t, m, now.name), reason)
			}
		}
	}
}

// The store is replaced by an empty one after the assets were listed. The cursor of the list is the start of the
// feed, which no store refuses.
func TestReplica_Refresh_replacedByEmpty(t *testing.T) {
	t.Parallel()
	full, empty := memory.New(), memory.New()
	setStatus(t, apguard.New(full, apguard.Options{}), "full.dev", asset.StatusBlocked)
	source := newSource(full)
	source.interrupt(func(operation string) error {
		if operation == "Since" {
			source.replace(empty)
		}
		return nil
	})
	m := newReplica(source, feed.Options{Views: []feed.View{&recorder{history: 10}}})
	for range 3 {
		require.ErrorIs(t, m.Refresh(t.Context()), asset.ErrFutureCursor)
		require.False(t, m.State().Filled)
	}
	require.NoError(t, m.Refresh(t.Context()))
	require.Zero(t, m.State().Assets)
}

// A store that went back, as after a restore from a backup, is copied again after some reads: a standby
// server can be behind for a while.
func TestReplica_Refresh_wentBack(t *testing.T) {
	t.Parallel()
	store := &wentBack{Store: memory.New()}
	guard := apguard.New(store.Store, apguard.Options{})
	for _, content := range []string{"one.dev", "two.dev", "three.dev"} {
		setStatus(t, guard, content, asset.StatusBlocked)
	}
	view := new(recorder)
	m := newReplica(store, feed.Options{Views: []feed.View{view}})
	require.NoError(t, m.Refresh(t.Context()))
	cursor := m.State().Cursor
	for _, again := range []int64{0, 2} { // a read that succeeds begins to count again
		store.last = 2
		for range 3 {
			require.ErrorIs(t, m.Refresh(t.Context()), asset.ErrFutureCursor)
			require.Equal(t, cursor, m.State().Cursor)
		}
		store.last = again
		require.NoError(t, m.Refresh(t.Context()))
	}
	require.Len(t, view.copies, 2)
}

// wentBack is a store whose feed ends at a position, unless that is 0.
type wentBack struct {
	storage.Store

	last int64
}

func (w *wentBack) Feed(ctx context.Context) (asset.Feed, error) {
	described, err := w.Store.Feed(ctx)
	if w.last > 0 {
		described.Last = w.last
	}
	return described, err
}

func (w *wentBack) Since(ctx context.Context, after asset.FeedCursor, limit int) (step.Page[asset.FeedEntry], error) {
	described, err := w.Feed(ctx)
	if err != nil {
		return step.Page[asset.FeedEntry]{}, err
	}
	if _, err := described.Position(after); err != nil {
		return step.Page[asset.FeedEntry]{}, err
	}
	return w.Store.Since(ctx, after, limit)
}

// lateStore has no position for its changes until its feed was read a few times.
type lateStore struct {
	storage.Store
	reads int
}

func (s *lateStore) Feed(ctx context.Context) (asset.Feed, error) {
	state, err := s.Store.Feed(ctx)
	if s.reads++; s.reads <= 3 {
		state = asset.Feed{Store: state.Store, Unpublished: true}
	}
	return state, err
}

func TestReplica_Refresh_waitsForPublication(t *testing.T) {
	t.Parallel()
	store := memory.New()
	setStatus(t, apguard.New(store, apguard.Options{}), "example.com", asset.StatusBlocked)
	m := newReplica(&lateStore{Store: store}, feed.Options{Interval: time.Millisecond})
	require.NoError(t, m.Refresh(t.Context()))
	require.Equal(t, asset.StatusBlocked, statusOf(t, m, "example.com"))
}

func TestReplica_Run_waitsForPublication(t *testing.T) {
	t.Parallel()
	store, events := memory.New(), newEvents()
	setStatus(t, apguard.New(store, apguard.Options{}), "example.com", asset.StatusBlocked)
	m := newReplica(&lateStore{Store: store}, feed.Options{Interval: time.Millisecond, OnEvent: events.report})
	start(t, m)
	require.Equal(t, feed.EventFilled, events.next(), "a store that is new is no failure")
	require.Equal(t, asset.StatusBlocked, statusOf(t, m, "example.com"))
}
