package feed_test

import (
	"encoding/json"
	"errors"
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/storage/memory"
)

// recorder is a view that records what it is given.
type recorder struct {
	history  int
	interval time.Duration
	form     uint32
	// err is the error of the next change.
	err error

	copies []*recorded
}

func (r *recorder) Describe() feed.Description {
	return feed.Description{Name: "recorder", History: r.history, Interval: r.interval, Form: r.form}
}

func (r *recorder) NewCopy(_ asset.Feed, start asset.FeedCursor) feed.Copy {
	c := &recorded{recorder: r, start: start}
	r.copies = append(r.copies, c)
	return c
}

// last returns the last copy.
func (r *recorder) last() *recorded { return r.copies[len(r.copies)-1] }

// recorded is a copy of a recorder.
type recorded struct {
	recorder *recorder
	start    asset.FeedCursor
	listed   []string
	changed  []string
	asOf     feed.AsOf

	mu sync.Mutex
	// published has the number of changes of each publication.
	published []int
}

// takePublished returns the number of changes of each publication since the last call.
func (r *recorded) takePublished() []int {
	r.mu.Lock()
	defer r.mu.Unlock()

	published := r.published
	r.published = nil
	return published
}

func (r *recorded) Add(a asset.Known) error {
	r.listed = append(r.listed, a.Canonical)
	return nil
}

func (r *recorded) Apply(changes []asset.FeedEntry, _ asset.FeedCursor) error {
	for _, entry := range changes {
		if err := r.recorder.err; err != nil {
			r.recorder.err = nil
			return err
		}
		r.changed = append(r.changed, entry.Change.Content)
	}
	return nil
}

func (r *recorded) Publish(asOf feed.AsOf) {
	r.mu.Lock()
	defer r.mu.Unlock()

	r.asOf = asOf
	r.published = append(r.published, len(r.changed))
}

func (r *recorded) Save(w io.Writer) error { return json.NewEncoder(w).Encode(r.listed) }

func (r *recorded) Load(reader io.Reader) error {
	if err := json.NewDecoder(reader).Decode(&r.listed); err != nil {
		return err
	}
	_, err := io.Copy(io.Discard, reader)
	return err
}

// A view gets as many changes before the list as it wants, and as the feed has.
func TestView_history(t *testing.T) {
	t.Parallel()
	store := memory.New()
	guard := apguard.New(store, apguard.Options{})
	for _, content := range []string{"a.dev", "b.dev", "c.dev"} {
		setStatus(t, guard, content, asset.StatusBlocked)
	}
	for history, want := range map[int][]string{0: nil, 1: {"c.dev"}, 3: {"a.dev", "b.dev", "c.dev"}, 100: {"a.dev", "b.dev", "c.dev"}} {
		view, other := &recorder{history: history}, &recorder{}
		m := newReplica(store, feed.Options{Views: []feed.View{view, other}})
		require.NoError(t, m.Refresh(t.Context()))
		require.Equal(t, []string{"a.dev", "b.dev", "c.dev"}, view.last().listed)
		require.Equal(t, want, view.last().changed, history)
		require.Equal(t, want, other.last().changed, "all views of a Replica begin at the same position")
		require.Equal(t, m.State().AsOf, view.last().asOf)
		require.EqualValues(t, 3, view.last().asOf.Cursor.Position())
		require.Equal(t, view.last().asOf.Cursor.Store(), view.last().asOf.Store)
	}
}

// A view with an interval is not published more often, unless somebody waits for it, and never later. The clock of
// the test is not real.
func TestView_interval(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := memory.New()
		guard := apguard.New(store, apguard.Options{})
		view, events := &recorder{interval: 25 * time.Second}, newEvents()
		m := newReplica(store, feed.Options{Views: []feed.View{view}, Interval: 10 * time.Second, OnEvent: events.report})
		start(t, m)
		synctest.Wait()
		require.Equal(t, []int{0}, view.last().takePublished(), "a new copy is published at once")
		changeAndWait := func(content string, seconds int) []int {
			setStatus(t, guard, content, asset.StatusBlocked)
			time.Sleep(time.Duration(seconds) * time.Second)
			synctest.Wait()
			return view.last().takePublished()
		}
		require.Equal(t, []int{1}, changeAndWait("a.dev", 10), "the first change is published at once")
		require.Equal(t, []int{2}, changeAndWait("b.dev", 25), "25 seconds later, between two reads at the interval")
		readAt := view.last().asOf.ReadAt
		require.Empty(t, changeAndWait("c.dev", 10))
		require.Equal(t, asset.StatusBlocked, statusOf(t, m, "c.dev"), "the other view does not wait")
		require.Equal(t, readAt, view.last().asOf.ReadAt)
		require.NoError(t, m.Sync(t.Context()))
		require.Equal(t, []int{3}, view.last().takePublished())
	})
}

// An error of a view is reported, and all views begin again.
func TestView_error(t *testing.T) {
	t.Parallel()
	store := memory.New()
	guard := apguard.New(store, apguard.Options{})
	view, events := &recorder{}, newEvents()
	m := newReplica(store, feed.Options{Views: []feed.View{view}, Interval: time.Millisecond, OnEvent: events.report})
	stop := start(t, m)
	require.Equal(t, feed.EventFilled, events.next())
	stop()
	full := errors.New("the view is full")
	view.err = full
	start(t, m)
	require.Equal(t, feed.EventFilled, events.next())
	setStatus(t, guard, "a.dev", asset.StatusBlocked)
	failed := <-events
	require.ErrorIs(t, failed.Err, full)
	require.EqualError(t, failed.Err, "view recorder: the view is full")
	require.Equal(t, feed.EventFilled, events.next())
	require.Equal(t, asset.StatusBlocked, statusOf(t, m, "a.dev"))
}
