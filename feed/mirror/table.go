package mirror

import (
	"slices"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// table maps hashes to entries. It is an open-addressing table with linear probing, at most two
// thirds full. Most look-ups find nothing and read one cache line of the hashes. The zero table is
// empty.
type table struct {
	// hashes and entries have the same length, a power of two. An empty slot has the hash 0.
	hashes  []uint64
	entries []entry
	used    int
	// bases has the bases of the assets in the same slots, or is nil if they are not kept.
	bases *bases
}

// minSlots is the length of the smallest table that is not empty.
const minSlots = 16

// entry is the ID of an asset, a byte with its reason and, as the lowest bit, whether it is BLOCKED or
// ALLOWED. IDs begin at 1, so no entry is 0.
type entry uint64

const reasonBits = 8

// reasons has every reason and none.
var reasons = append([]asset.Reason{""}, asset.Reasons()...)

func newEntry(a asset.Known) entry {
	e := entry(a.ID)<<reasonBits | entry(max(slices.Index(reasons, a.Reason), 0)) //nolint:gosec // IDs are positive
	if e <<= 1; a.Status == asset.StatusBlocked {
		e |= 1
	}
	return e
}

func (e entry) id() int64 { return int64(e >> (reasonBits + 1)) }

func (e entry) reason() asset.Reason { return reasons[e>>1&(1<<reasonBits-1)] }

func (e entry) status() asset.Status {
	if e&1 != 0 {
		return asset.StatusBlocked
	}
	return asset.StatusAllowed
}

// slot returns the slot of the hash, or the empty slot where it would be. The table is not
// empty.
func (t *table) slot(hash uint64) int {
	mask := len(t.hashes) - 1
	i := int(hash) & mask //nolint:gosec // the mask removes the sign
	for t.hashes[i] != hash && t.hashes[i] != 0 {
		i = (i + 1) & mask
	}
	return i
}

// find returns the slot of a hash, and whether the table has it.
func (t *table) find(hash uint64) (slot int, ok bool) {
	if t.used == 0 {
		return 0, false
	}
	slot = t.slot(hash)
	return slot, t.hashes[slot] != 0
}

// asset returns the asset in a slot, whose identity is given.
func (t *table) asset(slot int, identity asset.Identity) asset.Known {
	e := t.entries[slot]
	a := asset.Known{
		Asset: asset.Asset{ID: e.id(), Identity: identity, Status: e.status()},
		Basis: asset.Basis{Reason: e.reason()},
	}
	if t.bases != nil {
		t.bases.complete(slot, &a.Basis)
	}
	return a
}

// hasAny reports whether the table has one of the hashes. There are at most classify.MaxCovers.
func (t *table) hasAny(hashes []uint64) bool {
	if t.used == 0 {
		return false
	}
	// The processor waits for the memory of all of these at the same time.
	var homes [classify.MaxCovers]uint64
	mask := len(t.hashes) - 1
	for i, hash := range hashes {
		homes[i] = t.hashes[int(hash)&mask] //nolint:gosec // the mask removes the sign
	}
	for i, hash := range hashes {
		if homes[i] == 0 {
			continue
		}
		if _, ok := t.find(hash); ok {
			return true
		}
	}
	return false
}

// full reports whether the table must grow before a hash is added.
func (t *table) full() bool { return 3*(t.used+1) > 2*len(t.hashes) }

// grown returns a copy of the table with twice as many slots.
func (t *table) grown() table {
	slots := max(2*len(t.hashes), minSlots)
	bigger := table{hashes: make([]uint64, slots), entries: make([]entry, slots), used: t.used, bases: t.bases.sized(slots)}
	for from, hash := range t.hashes {
		if hash != 0 {
			bigger.move(bigger.slot(hash), t, from)
		}
	}
	return bigger
}

// move copies a slot of a table, which can be the same one, to one that is empty.
func (t *table) move(to int, source *table, from int) {
	t.hashes[to], t.entries[to] = source.hashes[from], source.entries[from]
	if t.bases != nil {
		t.bases.move(to, source.bases, from)
	}
}

// put sets the asset of a hash, which is not 0. The table is not full.
func (t *table) put(hash uint64, a asset.Known) {
	slot := t.slot(hash)
	isNew := t.hashes[slot] == 0
	if isNew {
		t.used++
	}
	t.hashes[slot], t.entries[slot] = hash, newEntry(a)
	if t.bases != nil {
		if !isNew {
			t.bases.remove(slot)
		}
		t.bases.put(slot, a.Basis)
	}
}

// remove removes a hash if it is there. It moves later hashes back, so that a look-up that
// passed the slot still finds them.
func (t *table) remove(hash uint64) {
	hole, ok := t.find(hash)
	if !ok {
		return
	}
	t.used--
	if t.bases != nil {
		t.bases.remove(hole)
	}
	mask := len(t.hashes) - 1
	for i := (hole + 1) & mask; t.hashes[i] != 0; i = (i + 1) & mask {
		home := int(t.hashes[i]) & mask //nolint:gosec // the mask removes the sign
		if (i-home)&mask >= (i-hole)&mask {
			t.move(hole, t, i)
			hole = i
		}
	}
	t.hashes[hole], t.entries[hole] = 0, 0
}
