package phishlist

import (
	"hash/maphash"
	"math/bits"
	"sort"
	"strings"
)

// maxHost is the maximum length of a host in bytes (RFC 1035, section 2.3.4, without
// the dot of the root). The host table stores a length in one byte.
const maxHost = 253

// hostTable holds the entries of all allowlists and blocklists of a file. Of equal
// entries it keeps the one that decides: the first in an allowlist, or the first in a
// blocklist if no allowlist has it.
//
// All entries are in one string, in file order, each after a byte with its length. The
// offset of an entry shows which of two entries is first, and which section it belongs
// to. An open-addressing hash table of offsets takes half the memory of a map and
// contains no pointers for the garbage collector to follow. A Bloom filter rules out
// most hosts before the table is searched.
type hostTable struct {
	seed     maphash.Seed
	text     string
	filter   bloomFilter
	slots    []slot
	sections []section
	count    int
	entryShapes
}

// entryShapes describes the entries, so that most other hosts need no lookup.
type entryShapes struct {
	// lengths has, for each length, a labelBit for each number of labels that entries
	// of that length have. Its last element is for longer hosts, and always 0.
	lengths [maxHost + 2]uint8
	longest int // the length of the longest entry
	labels  int // the greatest number of labels of an entry
}

// labelBit returns the bit for a number of labels. Numbers from eight on share one.
func labelBit(labels int) uint8 { return 1 << min(labels-1, 7) }

// slot is an element of the hash table: 28 bits for the offset of an entry, and 4 bits
// of its hash, which save most comparisons with other entries. The zero slot is empty;
// no entry is at offset 0.
type slot uint32

const (
	offsetBits = 28
	offsetMask = 1<<offsetBits - 1
)

func newSlot(hash uint64, at int) slot { return slot(hash)<<offsetBits | slot(at) } //nolint:gosec // MaxBytes bounds the offset

func (s slot) at() int { return int(s & offsetMask) }

// mayHave returns false only if the entry in the slot has another hash.
func (s slot) mayHave(hash uint64) bool {
	return s>>offsetBits == slot(hash)<<offsetBits>>offsetBits //nolint:gosec // only the low bits are compared
}

// scale maps a hash to a number below n, by its high bits. It gives the first slot to
// search, and the word in a Bloom filter.
func scale(hash uint64, n int) int {
	high, _ := bits.Mul64(hash, uint64(n)) //nolint:gosec // a length
	return int(high)                       //nolint:gosec // less than n
}

// section is one allowlist or blocklist.
type section struct {
	end   int // the offset after its last entry
	list  int // the number of the list in the file
	allow bool
}

// sectionAt returns the section of the entry at an offset.
func sectionAt(sections []section, at int) section {
	return sections[sort.Search(len(sections), func(i int) bool { return at < sections[i].end })]
}

// hit is an entry that covers a host. Its offset is 0 if there is none.
type hit struct {
	at, list int
}

// covering returns the first entry in an allowlist and the first entry in a blocklist
// that cover the host.
func (h *hostTable) covering(host string) (allowed, blocked hit) {
	// No suffix that starts further left is short enough to be an entry.
	from := max(0, len(host)-h.longest-1)
	end := len(host)
	for labels := 1; labels <= h.labels; labels++ {
		dot := strings.LastIndexByte(host[from:end], '.')
		// A suffix that starts at from, within a label, is a byte longer than the
		// longest entry, so lengths rules it out.
		if suffix := host[from+dot+1:]; h.lengths[len(suffix)]&labelBit(labels) != 0 {
			if at := h.find(suffix); at != 0 {
				h.keepFirst(at, &allowed, &blocked)
			}
		}
		if dot < 0 {
			break
		}
		end = from + dot
	}
	return allowed, blocked
}

// keepFirst records the entry at an offset unless an earlier one is recorded.
func (h *hostTable) keepFirst(at int, allowed, blocked *hit) {
	section := sectionAt(h.sections, at)
	first := blocked
	if section.allow {
		first = allowed
	}
	if first.at == 0 || at < first.at {
		*first = hit{at, section.list}
	}
}

// find returns the offset of the entry that equals the host, or 0.
func (h *hostTable) find(host string) int {
	hash := maphash.String(h.seed, host)
	if !h.filter.mayContain(hash) {
		return 0
	}
	for i := scale(hash, len(h.slots)); ; {
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

// entry returns the entry at an offset.
func (h *hostTable) entry(at int) string {
	return h.text[at+1 : at+1+int(h.text[at])]
}
