package storagetest

import (
	"cmp"
	"slices"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
)

// follower is the position of the machine's follower: the cursor, and the ID of the change
// before it.
type follower struct {
	cursor asset.FeedCursor
	last   int64
}

// recordedAfter returns the changes with larger IDs, in the order of recording.
func (m *model) recordedAfter(last int64) []asset.Change {
	var changes []asset.Change
	for _, change := range m.changes {
		if change.ID > last {
			changes = append(changes, change)
		}
	}
	slices.SortFunc(changes, func(a, b asset.Change) int { return cmp.Compare(a.ID, b.ID) })
	return changes
}

func (m *machine) followRandomly(t *rapid.T) {
	m.follow(rapid.IntRange(1, 4).Draw(t, "limit"))
}

// follow reads a page, compares it, and returns how many changes it had.
func (m *machine) follow(limit int) int {
	m.Helper()
	want := m.model.recordedAfter(m.follower.last)
	page := m.since(m.follower.cursor, limit)
	require.Equal(m, orNil(want[:min(limit, len(want))]), orNil(changesOf(page)), "the changes after %d", m.follower.last)
	if len(page) > 0 {
		last := page[len(page)-1]
		m.follower = follower{cursor: last.Cursor, last: last.Change.ID}
	}
	return len(page)
}

// compareFeed follows to the end, and then again from the start.
func (m *machine) compareFeed() {
	m.Helper()
	for m.follow(3) > 0 {
	}
	require.Equal(m, orNil(m.model.recordedAfter(0)), orNil(changesOf(m.feed(asset.FeedCursor{}, 5))), "the feed")
}

func (m *machine) readStatuses(t *rapid.T) {
	when := anyBound.Draw(t, "at")
	want, ids := make(map[int64]asset.Status), []int64{m.last["asset"] + 1}
	log := newestFirst(m.model.changes)
	for _, a := range m.model.assets {
		if rapid.Bool().Draw(t, "asked") {
			want[a.ID] = replay(log, a, when)
			ids = append(ids, a.ID)
		}
	}
	require.Equal(m, want, m.statusesAt(when, ids...), "StatusesAt %v", when)
}

// replay returns the status of an asset at a time, according to the changelog, newest
// change first.
func replay(log []asset.Change, a asset.Asset, when time.Time) asset.Status {
	status := a.Status
	for _, change := range log {
		if change.AssetID != a.ID {
			continue
		}
		if !change.At.After(when) {
			return change.To
		}
		status = change.From
	}
	return status
}
