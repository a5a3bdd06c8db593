package feed_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/mirror"
	"github.com/apguard/apguard/storage/memory"
)

// statusOf returns the status of a content in the mirror.
func statusOf(tb testing.TB, m copied, content string) asset.Status {
	tb.Helper()
	verdict, err := m.Check(tb.Context(), content)
	require.NoError(tb, err)
	return verdict.Status
}

var errAway = errors.New("the store is away")

func away(string) error { return errAway }

func here(string) error { return nil }

// reads records when the feed was read.
type reads struct {
	began time.Time
	mu    sync.Mutex
	times []float64
}

// during returns the times of the reads in the next period, in seconds, and fails them with err.
func (r *reads) during(period time.Duration, source *source, err error) []float64 {
	source.interrupt(func(operation string) error {
		if operation == "Feed" {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.times = append(r.times, time.Since(r.began).Seconds())
		}
		return err
	})
	time.Sleep(period)
	synctest.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	times := r.times
	r.times = nil
	return times
}

// The clock of the test is not real.
func TestReplica_Run(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := memory.New()
		guard := apguard.New(store, apguard.Options{})
		source, events, reads := newSource(store), newEvents(), reads{began: time.Now()}
		m := newReplica(source, feed.Options{Interval: 10 * time.Second, OnEvent: events.report})
		start(t, m)
		synctest.Wait()
		require.Equal(t, feed.EventFilled, events.next())
		require.Equal(t, reads.began, m.State().ReadAt)
		setStatus(t, guard, "example.com", asset.StatusBlocked)
		require.Equal(t, asset.StatusUnknown, statusOf(t, m, "example.com"))

		require.Equal(t, []float64{10}, reads.during(12*time.Second, source, nil))
		require.Equal(t, asset.StatusBlocked, statusOf(t, m, "example.com"))
		require.Equal(t, 1, m.State().Assets)
		readAt := reads.began.Add(10 * time.Second)
		require.Equal(t, readAt, m.State().ReadAt)

		require.Equal(t, []float64{20, 30, 50, 80, 110, 140}, reads.during(150*time.Second, source, errAway))
		require.Equal(t, feed.Event{Kind: feed.EventFailed, Err: errAway}, <-events)
		require.Empty(t, events, "a failure that repeats is reported once")
		require.Equal(t, errAway, m.State().Err)
		require.Equal(t, readAt, m.State().ReadAt)
		require.Equal(t, asset.StatusBlocked, statusOf(t, m, "example.com"))

		m.Wake()
		require.Equal(t, []float64{170, 170}, reads.during(10*time.Second, source, nil), "Wake does not shorten the time after an error")
		require.Equal(t, feed.EventRecovered, events.next())
		require.NoError(t, m.State().Err)

		require.Equal(t, []float64{180, 190}, reads.during(20*time.Second, source, errAway), "that time begins with the interval again")
	})
}

// A mirror answers once the feed has every change from before the end of the list, and Sync waits
// until it has those from before the call. The clock of the test is not real.
func TestReplica_Run_unpublished(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := memory.New()
		source, events := newSource(store), newEvents()
		m := newReplica(source, feed.Options{Interval: 10 * time.Second, OnEvent: events.report})
		source.fallBehind(time.Minute)
		start(t, m)
		failed := <-events
		require.ErrorContains(t, failed.Err, "changes are not published yet", "the feed is empty")
		setStatus(t, apguard.New(store, apguard.Options{}), "example.com", asset.StatusBlocked)
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Empty(t, events)
		require.False(t, m.State().Filled)
		source.fallBehind(time.Second)
		require.Equal(t, feed.EventFilled, events.next())
		require.InDelta(t, time.Second, time.Since(m.State().ReadAt), float64(time.Millisecond))
		time.Sleep(time.Minute)
		synctest.Wait()
		readAt := m.State().ReadAt

		synced := make(chan error, 1)
		source.fallBehind(15 * time.Second)
		go func() { synced <- m.Sync(t.Context()) }()
		time.Sleep(5 * time.Second)
		synctest.Wait()
		require.Empty(t, synced)
		require.Equal(t, readAt, m.State().ReadAt, "what was read stays")
		source.fallBehind(0)
		require.NoError(t, <-synced)
		require.Empty(t, events)
	})
}

// The store fails at each operation of the first fill.
func TestReplica_Run_fill(t *testing.T) {
	t.Parallel()
	for _, failing := range []string{"Feed", "Assets", "Since"} {
		store := memory.New()
		setStatus(t, apguard.New(store, apguard.Options{}), "example.com", asset.StatusBlocked)
		source, events := newSource(store), newEvents()
		source.interrupt(func(operation string) error {
			if operation == failing {
				return errAway
			}
			return nil
		})
		m := newReplica(source, feed.Options{Interval: time.Millisecond, OnEvent: events.report})
		start(t, m)
		require.Equal(t, feed.EventFailed, events.next())
		_, err := m.Check(t.Context(), "example.com")
		require.ErrorIs(t, err, mirror.ErrNotFilled)
		source.interrupt(here)
		require.Equal(t, feed.EventFilled, events.next())
		require.Equal(t, asset.StatusBlocked, statusOf(t, m, "example.com"))
	}
}

// Changes that are committed while the assets are listed are neither lost nor undone.
func TestReplica_Run_changesWhileFilling(t *testing.T) {
	t.Parallel()
	store := memory.New()
	guard := apguard.New(store, apguard.Options{})
	setStatus(t, guard, "early.dev", asset.StatusBlocked)
	source := newSource(store)
	lists := 0
	source.interrupt(func(operation string) error {
		if operation == "Assets" {
			if lists++; lists == 2 { // between those that are ALLOWED and those that are BLOCKED
				setStatus(t, guard, "early.dev", asset.StatusAllowed)
				setStatus(t, guard, "late.dev", asset.StatusBlocked)
			}
		}
		return nil
	})
	m := newReplica(source, feed.Options{})
	start(t, m)
	require.NoError(t, m.Sync(t.Context()))
	require.Equal(t, asset.StatusAllowed, statusOf(t, m, "early.dev"))
	require.Equal(t, asset.StatusBlocked, statusOf(t, m, "late.dev"))
}

// A store is replaced. The mirror answers from the first one until it has all of the second.
func TestReplica_Run_replaced(t *testing.T) {
	t.Parallel()
	first, second := memory.New(), memory.New()
	setStatus(t, apguard.New(first, apguard.Options{}), "first.dev", asset.StatusBlocked)
	setStatus(t, apguard.New(second, apguard.Options{}), "second.dev", asset.StatusBlocked)
	source, events := newSource(first), newEvents()
	m := newReplica(source, feed.Options{Interval: time.Millisecond, OnEvent: events.report})
	start(t, m)
	require.Equal(t, feed.EventFilled, events.next())

	listing, proceed := make(chan struct{}), make(chan struct{})
	lists := 0
	source.interrupt(func(operation string) error {
		if operation == "Assets" {
			if lists++; lists == 2 {
				listing <- struct{}{}
				<-proceed
			}
		}
		return nil
	})
	source.replace(second)
	failed := <-events
	require.Equal(t, feed.EventFailed, failed.Kind)
	require.ErrorIs(t, failed.Err, asset.ErrForeignCursor)
	<-listing
	require.Equal(t, asset.StatusBlocked, statusOf(t, m, "first.dev"))
	require.Equal(t, asset.StatusUnknown, statusOf(t, m, "second.dev"))
	require.ErrorIs(t, m.State().Err, asset.ErrForeignCursor)
	_, err := lag(t, m, asset.NewFeedService(second))
	require.ErrorIs(t, err, asset.ErrForeignCursor)
	close(proceed)
	require.Equal(t, feed.EventFilled, events.next())
	require.Equal(t, asset.StatusUnknown, statusOf(t, m, "first.dev"))
	require.Equal(t, asset.StatusBlocked, statusOf(t, m, "second.dev"))
}

// The zero cursor of an empty store fits every other one.
func TestReplica_Run_replacedWhileFilling(t *testing.T) {
	t.Parallel()
	first, second := memory.New(), memory.New()
	setStatus(t, apguard.New(second, apguard.Options{}), "second.dev", asset.StatusBlocked)
	source := newSource(first)
	source.interrupt(func(operation string) error {
		switch operation {
		case "Assets":
			setStatus(t, apguard.New(first, apguard.Options{}), "first.dev", asset.StatusBlocked)
		case "Since":
			source.replace(second)
		}
		return nil
	})
	m := newReplica(source, feed.Options{Interval: time.Millisecond})
	start(t, m)
	require.NoError(t, m.Sync(t.Context()))
	require.Equal(t, asset.StatusUnknown, statusOf(t, m, "first.dev"))
	require.Equal(t, asset.StatusBlocked, statusOf(t, m, "second.dev"))
}

func TestReplica_Run_again(t *testing.T) {
	t.Parallel()
	store := memory.New()
	setStatus(t, apguard.New(store, apguard.Options{}), "example.com", asset.StatusBlocked)
	events := newEvents()
	m := newReplica(store, feed.Options{OnEvent: events.report})
	stop := start(t, m)
	require.Equal(t, feed.EventFilled, events.next())
	require.ErrorIs(t, m.Run(t.Context()), feed.ErrRunning)
	stop()
	require.Equal(t, asset.StatusBlocked, statusOf(t, m, "example.com"), "it answers although it does not run")

	start(t, m)
	require.Equal(t, feed.EventFilled, events.next(), "it fills a new copy")
}

func TestReplica_Sync(t *testing.T) {
	t.Parallel()
	store := memory.New()
	guard := apguard.New(store, apguard.Options{})
	m := newReplica(store, feed.Options{Interval: time.Hour})
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, m.Sync(ended), context.Canceled, "Run does not run")
	require.ErrorIs(t, new(feed.Replica).Sync(ended), context.Canceled)

	start(t, m)
	for _, status := range []asset.Status{asset.StatusBlocked, asset.StatusAllowed, asset.StatusUnknown} {
		setStatus(t, guard, "example.com", status)
		require.NoError(t, m.Sync(t.Context()))
		require.Equal(t, status, statusOf(t, m, "example.com"))
	}
}

// lag returns how many positions the copy is behind the end of the feed.
func lag(tb testing.TB, m copied, service *asset.FeedService) (int64, error) {
	tb.Helper()
	cursor := m.State().Cursor // before the end of the feed, which moves on
	end, err := service.State(tb.Context())
	require.NoError(tb, err)
	position, err := end.Position(cursor)
	return end.Last - position, err
}

func TestReplica_State_cursor(t *testing.T) {
	t.Parallel()
	store := memory.New()
	guard := apguard.New(store, apguard.Options{})
	m := newReplica(store, feed.Options{Interval: time.Hour})
	require.Empty(t, m.State().Cursor)
	start(t, m)
	require.NoError(t, m.Sync(t.Context()))
	requireLag := func(want int64) {
		got, err := lag(t, m, guard.Feed)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	requireLag(0)
	setStatus(t, guard, "a.dev", asset.StatusBlocked)
	setStatus(t, guard, "b.dev", asset.StatusBlocked)
	requireLag(2)
	require.NoError(t, m.Sync(t.Context()))
	requireLag(0)
	end, err := guard.Feed.State(t.Context())
	require.NoError(t, err)
	require.Equal(t, end.End(), m.State().Cursor)
	require.Equal(t, end.Store, m.State().Store)
}
