package lists

import (
	"hash/maphash"

	"github.com/apguard/apguard/asset"
)

// wantedEntries has the entries of a file by hash. A collision of two of a million entries has a
// probability below one in ten million; the list then lacks one of them.
type wantedEntries struct {
	seed    maphash.Seed
	entries map[uint64]wanted
	// found counts the entries that the list holds.
	found int
}

// wanted is an entry of a file.
type wanted byte

const (
	wantedAllowed wanted = 1 << iota
	// wantedDone entries need no step any more.
	wantedDone
)

func newWantedEntries() wantedEntries {
	return wantedEntries{seed: maphash.MakeSeed(), entries: make(map[uint64]wanted)}
}

// add adds an entry, unless it is there. It reports false if it is there with another status.
func (w *wantedEntries) add(item asset.StatusItem) bool {
	hash, entry := w.hash(item.Identity), wanted(0)
	if item.Status == asset.StatusAllowed {
		entry = wantedAllowed
	}
	before, known := w.entries[hash]
	if known {
		return before == entry
	}
	w.entries[hash] = entry
	return true
}

// status returns the status that is wanted for an asset, or "".
func (w *wantedEntries) status(identity asset.Identity) asset.Status {
	entry, known := w.entries[w.hash(identity)]
	switch {
	case !known:
		return ""
	case entry&wantedAllowed != 0:
		return asset.StatusAllowed
	default:
		return asset.StatusBlocked
	}
}

// find tells that the list holds a wanted entry, and whether that is as wanted.
func (w *wantedEntries) find(identity asset.Identity, asWanted bool) {
	w.found++
	if asWanted {
		w.entries[w.hash(identity)] |= wantedDone
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
	return true
}

func (w *wantedEntries) hash(identity asset.Identity) uint64 {
	return maphash.Comparable(w.seed, identity)
}
