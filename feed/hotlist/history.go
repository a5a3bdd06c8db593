package hotlist

import (
	"cmp"
	"math"
	"strings"

	"github.com/tidwall/btree"

	"github.com/apguard/apguard/lists"
)

// change is a change of the status of an asset.
type change struct {
	position int64
	// at is when it was recorded, in seconds.
	at int64
}

// history has the last changes, and the elements of the lists that can have changed with them.
type history struct {
	changes
	// most is the maximum number of changes.
	most int
	// entries has one entry for each element, and positions has its position.
	entries   *btree.BTreeG[entry]
	positions map[lists.WalletElement]int64
}

// changes are the changes after a position, in order. They are replaced, so that who has them can keep them.
type changes struct {
	start int64
	all   []change
}

// hasAfter reports whether these are all changes after a position.
func (c changes) hasAfter(position int64) bool { return position >= c.start }

// newHistory returns a history that begins after a position.
func newHistory(most int, start int64) *history {
	return &history{
		changes:   changes{start: start},
		most:      most,
		entries:   btree.NewBTreeGOptions(func(a, b entry) bool { return compareEntries(a, b) < 0 }, btree.Options{NoLocks: true}),
		positions: make(map[lists.WalletElement]int64),
	}
}

// entry is an element of a list that can have changed.
type entry struct {
	lists.WalletElement
	// position is that of the last change that concerns it.
	position int64
	// removed says that the list does not have it.
	removed bool
}

// compareEntries is the order of entries: by position, and then such that a path comes before those
// below it.
func compareEntries(a, b entry) int {
	return cmp.Or(cmp.Compare(a.position, b.position), cmp.Compare(a.List, b.List), strings.Compare(a.Text, b.Text))
}

// lastAt returns an entry after all those at a position.
func lastAt(position int64) entry {
	return entry{position: position, WalletElement: lists.WalletElement{List: math.MaxUint8}}
}

// add adds a change that concerns elements. The lists have it already. A client that removes a path removes what
// is below it too, so each path below gets an entry that comes later.
func (h *history) add(c change, concerned []lists.WalletElement, now *lists.WalletLists) {
	for _, element := range concerned {
		removed := !now.Has(element)
		h.put(entry{element, c.position, removed})
		if !removed || element.List != lists.WalletBlockedPaths {
			continue
		}
		for below := range now.PathsBelow(element.Text) {
			h.put(entry{lists.WalletElement{List: lists.WalletBlockedPaths, Text: below}, c.position, false})
		}
	}
	h.all = append(h.all, c)
	h.forget()
}

// put replaces the entry of an element.
func (h *history) put(one entry) {
	if before, ok := h.positions[one.WalletElement]; ok {
		h.entries.Delete(entry{one.WalletElement, before, false})
	}
	h.positions[one.WalletElement] = one.position
	h.entries.Set(one)
}

// forget removes the changes that are too many, and the entries that came with them.
func (h *history) forget() {
	old := len(h.all) - h.most
	if old <= 0 {
		return
	}
	h.start, h.all = h.all[old-1].position, h.all[old:]
	for first, ok := h.entries.Min(); ok && first.position <= h.start; first, ok = h.entries.Min() {
		h.entries.PopMin()
		delete(h.positions, first.WalletElement)
	}
}
