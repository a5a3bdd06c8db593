package storagetest

import (
	"slices"

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

// recordedAfter returns the changes after the one with the ID, in the order of recording.
func (m *model) recordedAfter(last int64) []asset.Change {
	for i, change := range m.changes {
		if change.ID == 0 || change.ID > last {
			return m.changes[i:]
		}
	}
	return nil
}

// followed returns the changes after the one with the ID as the feed has them, given a page of it, which tells the
// IDs of those that are not in the changelog.
func (m *model) followed(last int64, page []asset.Change) []asset.Change {
	after := m.recordedAfter(last)
	for i := range min(len(after), len(page)) {
		if !after[i].OfStatus() {
			after[i].ID = page[i].ID
		}
	}
	changes := slices.Clone(after)
	for i := range changes {
		changes[i].Basis = m.named(changes[i].Basis)
	}
	return changes
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
	samePage(m, m.model.followed(m.follower.last, changes.Items), limit, changes, "the changes after %d", m.follower.last)
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
	all := changesOf(m.feed(asset.FeedCursor{}, 5))
	require.Equal(m, orNil(m.model.followed(0, all)), orNil(all), "the feed")
}
