package storagetest

import (
	"cmp"
	"slices"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
)

// follower is the position of the machine's follower: the cursor, the ID of the change before it,
// and model.prunings when it was received.
type follower struct {
	cursor         asset.FeedCursor
	last, prunings int64
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

// follow reads a page, compares it, and returns how many changes it had. A follower that has
// missed changes starts again.
func (m *machine) follow(limit int) int {
	m.Helper()
	if f := m.follower; f.last > 0 && f.last < m.model.pruned && f.prunings != m.model.prunings {
		m.refusesCursor(f.cursor, asset.ErrPrunedCursor)
		m.follower = follower{}
	}
	want := m.model.recordedAfter(m.follower.last)
	page := m.since(m.follower.cursor, limit)
	require.Equal(m, orNil(want[:min(limit, len(want))]), orNil(changesOf(page)), "the changes after %d", m.follower.last)
	if len(page) > 0 {
		last := page[len(page)-1]
		m.follower = follower{cursor: last.Cursor, last: last.Change.ID, prunings: m.model.prunings}
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
