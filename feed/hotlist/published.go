package hotlist

import (
	"fmt"
	"iter"

	"github.com/tidwall/btree"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists"
)

// published is what responses are made of. It does not change.
type published struct {
	state
	changes
	lists *lists.WalletLists
	// entries are those of the changes, in the order of compareEntries.
	entries *btree.BTreeG[entry]
}

// state identifies what was published: everything up to a position of the feed of a store.
type state struct {
	store    asset.StoreID
	position int64
}

// stamp returns the time stamp of clients that have the state. If the store is not known yet, because its feed
// is empty, it is that of clients without lists.
func (s state) stamp() int64 {
	if s.store == (asset.StoreID{}) {
		return 1
	}
	return newStamp(s.store, s.position)
}

// version returns the version of responses.
func (s state) version() string { return fmt.Sprintf("%x.%d", s.store, s.stamp()) }

// entriesBetween yields the entries after one, up to a position.
func (p *published) entriesBetween(after entry, last int64) iter.Seq[entry] {
	return func(yield func(entry) bool) {
		p.entries.Ascend(after, func(one entry) bool {
			return one.position <= last && (compareEntries(one, after) == 0 || yield(one))
		})
	}
}
