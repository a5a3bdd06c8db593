package storagetest

import (
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/step"
)

// follower is the position of the machine's follower: the cursor, the ID of the change before it,
// and model.prunings when it was received.
type follower struct {
	cursor         asset.FeedCursor
	last, prunings int64
}

// recordedAfter returns the changes with larger IDs, in the order of recording.
func (m *model) recordedAfter(last int64) []asset.Change {
	return above(m.changes, last, func(c asset.Change) int64 { return c.ID })
}

func (m *machine) followRandomly(t *rapid.T) {
	m.follow(anyLimit.Draw(t, "limit"))
}

// follow reads a page, compares it, and returns how many changes it had. A follower that has
// missed changes starts again.
func (m *machine) follow(limit int) int {
	m.Helper()
	if f := m.follower; f.last > 0 && f.last < m.model.pruned && f.prunings != m.model.prunings {
		m.refusesCursor(f.cursor, asset.ErrPrunedCursor)
		m.follower = follower{}
	}
	page := m.feedPage(m.follower.cursor, limit)
	changes := step.Page[asset.Change]{Items: changesOf(page.Items), More: page.More}
	samePage(m, m.model.recordedAfter(m.follower.last), limit, changes, "the changes after %d", m.follower.last)
	if len(page.Items) > 0 {
		m.follower = follower{cursor: page.Last().Cursor, last: page.Last().Change.ID, prunings: m.model.prunings}
	}
	return len(page.Items)
}

// compareFeed follows to the end, and then again from the start.
func (m *machine) compareFeed() {
	m.Helper()
	for m.follow(3) > 0 {
	}
	require.Equal(m, orNil(m.model.recordedAfter(0)), orNil(changesOf(m.feed(asset.FeedCursor{}, 5))), "the feed")
}
