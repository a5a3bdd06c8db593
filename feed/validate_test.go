package feed_test

import (
	"cmp"
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/feed"
)

// feedTo describes a feed with a last position.
func feedTo(last int64) asset.Feed { return asset.Feed{Store: asset.StoreID{1}, Last: last} }

// at returns the cursor at a position of that feed.
func at(position int64) asset.FeedCursor { return feedTo(position).End() }

// foreign is a source of somebody else.
type foreign struct {
	listed  []asset.Known
	start   asset.FeedCursor
	changes feed.Changes
}

func (f *foreign) List(context.Context, int) (feed.List, error) {
	return feed.List{Feed: feedTo(1), Start: cmp.Or(f.start, at(1)), Assets: func(yield func(asset.Known, error) bool) {
		for _, a := range f.listed {
			if !yield(a, nil) {
				return
			}
		}
	}}, nil
}

func (f *foreign) Changes(context.Context, asset.FeedCursor) (feed.Changes, error) {
	return f.changes, nil
}

// blocked returns an asset that a source may return, with a change.
func blocked(change func(*asset.Known)) asset.Known {
	a := asset.Known{Asset: asset.Asset{ID: 7, Identity: identityOf("example.com"), Status: asset.StatusBlocked}}
	change(&a)
	return a
}

// changeOf returns the change to an asset.
func changeOf(a asset.Known) asset.Change {
	return asset.Change{AssetID: a.ID, Type: a.Type, Content: a.Canonical, From: asset.StatusUnknown, To: a.Status, Basis: a.Basis}
}

// changed returns a change of an asset for each cursor.
func changed(cursors ...asset.FeedCursor) []asset.FeedEntry {
	entries := make([]asset.FeedEntry, len(cursors))
	for i, cursor := range cursors {
		entries[i] = asset.FeedEntry{Change: changeOf(blocked(func(*asset.Known) {})), Cursor: cursor}
	}
	return entries
}

func identityOf(domain string) asset.Identity {
	return asset.Identity{Type: asset.TypePage, Canonical: domain}
}

// What a source must not return is an error, and nothing is answered from it.
func TestReplica_Run_invalidSource(t *testing.T) {
	t.Parallel()
	invalid := map[string]asset.Known{
		"an ID of nothing":       blocked(func(a *asset.Known) { a.ID = 0 }),
		"an unknown type":        blocked(func(a *asset.Known) { a.Type = "DOMAIN" }),
		"an unknown status":      blocked(func(a *asset.Known) { a.Status = "blocked" }),
		"no canonical form":      blocked(func(a *asset.Known) { a.Canonical = "" }),
		"text that is not UTF-8": blocked(func(a *asset.Known) { a.Canonical = "\xff" }),
		"text with a NUL":        blocked(func(a *asset.Known) { a.Canonical = "a\x00" }),
	}
	sources := map[string]foreign{
		"listed as UNKNOWN":                 {listed: []asset.Known{blocked(func(a *asset.Known) { a.Status = asset.StatusUnknown })}},
		"a feed of a negative age":          {changes: feed.Changes{Cursor: at(1), Age: -1}},
		"more changes than none":            {changes: feed.Changes{Cursor: at(2), More: true}},
		"changes at the cursor they follow": {changes: feed.Changes{Cursor: at(1), Entries: changed(asset.FeedCursor{})}},
		"changes that begin again":          {changes: feed.Changes{Cursor: at(3), Entries: changed(at(1))}},
		"changes that are not in order":     {changes: feed.Changes{Cursor: at(3), Entries: changed(at(3), at(2))}},
		"changes after the cursor":          {changes: feed.Changes{Cursor: at(2), Entries: changed(at(3))}},
		"a cursor that moves back":          {changes: feed.Changes{}},
		"a start that is not in the feed":   {start: at(2)},
	}
	for name, a := range invalid {
		sources["listed with "+name] = foreign{listed: []asset.Known{a}}
		sources["changed with "+name] = foreign{changes: feed.Changes{Cursor: at(2), Entries: []asset.FeedEntry{{Change: changeOf(a)}}}}
	}
	for name, source := range sources {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			events := newEvents()
			m := newCopied(&source, feed.Options{Interval: time.Hour, OnEvent: events.report})
			start(t, m)
			failed := <-events
			require.Equal(t, feed.EventFailed, failed.Kind)
			require.ErrorIs(t, failed.Err, feed.ErrSource)
			require.False(t, m.State().Filled)
		})
	}
}

// notifier is a source that announces changes.
type notifier struct {
	foreign
	news    chan bool
	changed chan feed.Changes
	reads   atomic.Int32
}

func (n *notifier) Changes(_ context.Context, cursor asset.FeedCursor) (feed.Changes, error) {
	n.reads.Add(1)
	select {
	case changes := <-n.changed:
		return changes, nil
	default:
		return feed.Changes{Cursor: cursor}, nil
	}
}

func (n *notifier) Await(ctx context.Context, _ asset.FeedCursor, longest time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	select {
	case news := <-n.news:
		return news
	case <-ctx.Done():
		return false
	}
}

// The clock of the test is not real.
func TestReplica_Run_notifier(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		source := &notifier{news: make(chan bool), changed: make(chan feed.Changes, 1)}
		m := newCopied(source, feed.Options{Interval: time.Hour})
		stop := start(t, m)
		synctest.Wait()
		require.EqualValues(t, 1, source.reads.Load())

		source.changed <- feed.Changes{Cursor: at(2), Entries: changed(at(2))}
		source.news <- true
		synctest.Wait()
		require.Equal(t, asset.StatusBlocked, statusOf(t, m, "example.com"), "changes are read when they are announced")

		source.news <- true
		synctest.Wait()
		require.EqualValues(t, 3, source.reads.Load())
		select {
		case source.news <- true:
			require.Fail(t, "a source that announced changes and had none is believed at once")
		default:
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		require.EqualValues(t, 4, source.reads.Load(), "it is read at the interval")

		source.news <- false
		m.Wake()
		synctest.Wait()
		require.EqualValues(t, 5, source.reads.Load(), "a source that cannot wait is read at the interval, or when woken")

		time.Sleep(time.Hour / 2)
		m.Wake()
		synctest.Wait()
		require.EqualValues(t, 6, source.reads.Load(), "Wake ends the waiting for news")
		stop()
	})
}
