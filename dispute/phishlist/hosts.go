package phishlist

import (
	"hash/maphash"
	"math/bits"
	"sort"
	"strings"
)

// maxHost is the number of bytes that a host can have (RFC 1035, section 2.3.4,
// without the root's dot). A record keeps it in one byte.
const maxHost = 253

// hosts holds the entries of all allowlists and blocklists of a file. Of equal
// entries it has only the one that decides: that of the first allowlist, or of the
// first blocklist if no allowlist has it.
//
// The entries stand in one text, in the order of the file, each after a byte with its
// length. So the place of an entry tells which of two comes first, and which section
// it belongs to. A hash table of places finds them: half as large as a map's, and with
// nothing in it for the garbage collector to follow. The filter tells of most hosts that
// the table has nothing for them.
type hosts struct {
	seed     maphash.Seed
	text     string
	filter   filter
	slots    []slot
	sections []section
	count    int
	reach
}

// reach tells what can be an entry, so that nothing else has to be looked up.
type reach struct {
	// lengths tells for each length which numbers of labels its entries have, by
	// labelBit. The last one is looked up and no entry has it.
	lengths [maxHost + 2]uint8
	longest int
	labels  int // of the entry that has the most
}

// labelBit returns the bit for a number of labels. From eight on they share one.
func labelBit(labels int) uint8 { return 1 << min(labels-1, 7) }

// slot is one place of the hash table: 28 bits tell where in the text an entry
// stands, and 4 bits of its hash save looking there in vain. Zero is an empty slot,
// as no entry stands at the very beginning of the text.
type slot uint32

const (
	placeBits = 28
	placeMask = 1<<placeBits - 1
)

func newSlot(hash uint64, at int) slot { return slot(hash)<<placeBits | slot(at) } //nolint:gosec // no text is as long as the limit of a file

func (s slot) at() int { return int(s & placeMask) }

// mayHave reports whether the entry in the slot can have the hash.
func (s slot) mayHave(hash uint64) bool { return s>>placeBits == slot(hash)<<placeBits>>placeBits } //nolint:gosec // the low bits are what is wanted

// scaled returns a number below the given one, by the high bits of the hash: where the
// search for it begins in so many slots, and its word in a filter of so many.
func scaled(hash uint64, below int) int {
	high, _ := bits.Mul64(hash, uint64(below)) //nolint:gosec // a length
	return int(high)                           //nolint:gosec // less than below
}

// section is one allowlist or blocklist.
type section struct {
	end   int // in the text
	list  int // the number of the list in the file
	allow bool
}

// sectionAt returns the section of the entry at a place.
func sectionAt(sections []section, at int) section {
	return sections[sort.Search(len(sections), func(i int) bool { return at < sections[i].end })]
}

// hit is an entry that covers a host; at is 0 for none.
type hit struct {
	at, list int
}

// covering returns the entries of allowlists and of blocklists that cover the host
// and stand first in the file.
func (h *hosts) covering(host string) (allowed, blocked hit) {
	// A dot before the longest suffix that an entry can be is the last of interest.
	from := max(0, len(host)-h.longest-1)
	end := len(host)
	for labels := 1; labels <= h.labels; labels++ {
		dot := strings.LastIndexByte(host[from:end], '.')
		// What begins within a label is longer by a byte than all entries, and so is
		// not looked up.
		if suffix := host[from+dot+1:]; h.lengths[len(suffix)]&labelBit(labels) != 0 {
			if at := h.find(suffix); at != 0 {
				h.note(at, &allowed, &blocked)
			}
		}
		if dot < 0 {
			break
		}
		end = from + dot
	}
	return allowed, blocked
}

// note keeps the entry at a place if it stands before the one that is kept already.
func (h *hosts) note(at int, allowed, blocked *hit) {
	section := sectionAt(h.sections, at)
	first := blocked
	if section.allow {
		first = allowed
	}
	if first.at == 0 || at < first.at {
		*first = hit{at, section.list}
	}
}

// find returns the place of the entry that equals the host, or 0.
func (h *hosts) find(host string) int {
	hash := maphash.String(h.seed, host)
	if !h.filter.mayHave(hash) {
		return 0
	}
	for i := scaled(hash, len(h.slots)); ; {
		s := h.slots[i]
		if s == 0 {
			return 0
		}
		if s.mayHave(hash) && h.entry(s.at()) == host {
			return s.at()
		}
		if i++; i == len(h.slots) {
			i = 0
		}
	}
}

// entry returns the entry at a place.
func (h *hosts) entry(at int) string {
	return h.text[at+1 : at+1+int(h.text[at])]
}
