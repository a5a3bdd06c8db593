package lists

import (
	"hash/maphash"
	"time"

	"github.com/apguard/apguard/asset"
)

// wantedEntries has the entries of a file by hash. A collision of two of a million entries has a
// probability below one in ten million; the list then lacks one of them.
type wantedEntries struct {
	seed    maphash.Seed
	entries map[uint64]packedStatus
	// found counts the entries that the list holds, and done those that need no step any more.
	found, done int
}

// wantedDone marks an entry that needs no step any more.
const wantedDone packedStatus = 1 << 7

func newWantedEntries() wantedEntries {
	return wantedEntries{seed: maphash.MakeSeed(), entries: make(map[uint64]packedStatus)}
}

// add adds an entry, unless it is there. It reports false if it is there with another status or end.
func (w *wantedEntries) add(item asset.StatusItem) bool {
	hash, entry := w.hash(item.Identity), packStatus(item.Status, item.ExpiresAt)
	before, known := w.entries[hash]
	if known {
		return before == entry
	}
	w.entries[hash] = entry
	return true
}

// of returns the entry of an asset, whose status is empty if there is none.
func (w *wantedEntries) of(identity asset.Identity) asset.StatusItem {
	item := asset.StatusItem{Identity: identity}
	entry, known := w.entries[w.hash(identity)]
	if !known {
		return item
	}
	for _, status := range [...]asset.Status{asset.StatusBlocked, asset.StatusAllowed} {
		if entry&(wantedDone-1) == packedStatus(status[0]) {
			item.Status = status
		}
	}
	if end := int64(entry) >> 8; end != 0 {
		item.ExpiresAt = time.UnixMilli(end).UTC()
	}
	return item
}

// find tells that the list holds a wanted entry, and whether that is as wanted.
func (w *wantedEntries) find(identity asset.Identity, asWanted bool) {
	w.found++
	if asWanted {
		w.next(identity)
	}
}

// missing returns the number of entries that the list does not hold.
func (w *wantedEntries) missing() int { return len(w.entries) - w.found }

// next reports whether an entry of the file needs a step. Of several entries of an asset, the first one does.
func (w *wantedEntries) next(identity asset.Identity) bool {
	hash := w.hash(identity)
	if w.entries[hash]&wantedDone != 0 {
		return false
	}
	w.entries[hash] |= wantedDone
	w.done++
	return true
}

// open reports whether an entry needs a step.
func (w *wantedEntries) open() bool { return w.done < len(w.entries) }

func (w *wantedEntries) hash(identity asset.Identity) uint64 {
	return maphash.Comparable(w.seed, identity)
}
