package hotlist

import (
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/lists"
)

// form is the version of what a copy saves apart from the lists. It grows, as that of the lists does.
const form = 0

// Describe implements [feed.View].
func (h *Hotlist) Describe() feed.Description {
	return feed.Description{Name: "hotlist", Form: form + lists.WalletForm, History: h.options.History, Interval: h.options.Interval}
}

// NewCopy implements [feed.View].
func (h *Hotlist) NewCopy(_ asset.Feed, start asset.FeedCursor) feed.Copy {
	return &copied{hotlist: h, lists: lists.NewWalletLists(), history: newHistory(h.options.History, start.Position())}
}

// copied has the lists, and what has changed in them last. It implements [feed.Copy].
type copied struct {
	hotlist *Hotlist
	lists   *lists.WalletLists
	history *history
	// last is the state that was published last, or nil.
	last *state
}

// Add implements [feed.Copy].
func (c *copied) Add(a asset.Known) error {
	c.lists.Set(a.Identity, a.Status)
	return nil
}

// Apply implements [feed.Copy]. A change whose position is not known has that of the last one.
func (c *copied) Apply(entries []asset.FeedEntry, cursor asset.FeedCursor) error {
	for _, one := range entries {
		position := one.Cursor.Position()
		if position == 0 {
			position = cursor.Position()
		}
		c.apply(position, one.Change)
	}
	return nil
}

func (c *copied) apply(position int64, changed asset.Change) {
	c.lists.Set(changed.Identity(), changed.To)
	if changed.OfStatus() {
		c.history.add(change{position, changed.At.Unix()}, lists.WalletElements(changed.Identity()), c.lists)
	}
}

// Publish implements [feed.Copy].
func (c *copied) Publish(asOf feed.AsOf) {
	next := state{asOf.Store, asOf.Cursor.Position()}
	if next.position > maxPosition || c.last != nil && *c.last == next {
		return
	}
	c.last = &next
	c.hotlist.published.Store(&published{next, c.history.changes, c.lists.Copy(), c.history.entries.Copy()})
}
