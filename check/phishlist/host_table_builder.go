package phishlist

import (
	"bytes"
	"hash/maphash"
)

// hostTableBuilder collects the entries of a [hostTable].
type hostTableBuilder struct {
	seed       maphash.Seed
	text       []byte
	slots      []slot
	sections   []section
	count      int
	duplicates int
	// sectionStart is the offset at which the current section started.
	sectionStart int
	entryShapes
}

func newHostTableBuilder() *hostTableBuilder {
	return &hostTableBuilder{
		seed:  maphash.MakeSeed(),
		text:  []byte{0}, // offset 0 means no entry
		slots: make([]slot, 1024),
	}
}

// begin starts the section of the entries that follow. It replaces a section without
// entries.
func (b *hostTableBuilder) begin(list int, allow bool) {
	if n := len(b.sections); n > 0 && b.sectionStart == len(b.text) {
		b.sections = b.sections[:n-1]
	}
	b.sectionStart = len(b.text)
	b.sections = append(b.sections, section{end: len(b.text), list: list, allow: allow})
}

// add adds an entry of 1 to maxHost bytes, unless an equal entry takes precedence.
func (b *hostTableBuilder) add(host []byte) {
	hash := maphash.Bytes(b.seed, host)
	i := b.search(host, hash)
	current := b.sections[len(b.sections)-1]
	switch {
	case b.slots[i] == 0:
		b.count++
	case current.allow && !sectionAt(b.sections, b.slots[i].at()).allow:
		b.duplicates++ // the blocklist entry, which this one replaces
	default:
		b.duplicates++
		return
	}
	b.slots[i] = newSlot(hash, len(b.text))
	b.text = append(b.text, byte(len(host))) //nolint:gosec // at most maxHost
	b.text = append(b.text, host...)
	b.sections[len(b.sections)-1].end = len(b.text)
	b.longest = max(b.longest, len(host))
	labels := 1 + bytes.Count(host, []byte("."))
	b.lengths[len(host)] |= labelBit(labels)
	b.labels = max(b.labels, labels)
	if b.count > len(b.slots)/4*3 {
		b.resize(2 * len(b.slots))
	}
}

// search returns the index of the slot with the entry, or of the empty slot for it.
func (b *hostTableBuilder) search(host []byte, hash uint64) int {
	for i := scale(hash, len(b.slots)); ; {
		s := b.slots[i]
		if s == 0 || s.mayHave(hash) && bytes.Equal(b.entry(s.at()), host) {
			return i
		}
		if i++; i == len(b.slots) {
			i = 0
		}
	}
}

func (b *hostTableBuilder) entry(at int) []byte {
	return b.text[at+1 : at+1+int(b.text[at])]
}

// resize changes the number of slots.
func (b *hostTableBuilder) resize(slots int) {
	old := b.slots
	b.slots = make([]slot, slots)
	for _, s := range old {
		if s != 0 {
			hash := maphash.Bytes(b.seed, b.entry(s.at()))
			b.slots[b.search(b.entry(s.at()), hash)] = s
		}
	}
}

// build returns the table, in no more memory than it needs. A quarter of its slots is
// empty, which keeps searches short.
func (b *hostTableBuilder) build() hostTable {
	b.resize(b.count + b.count/3 + 1)
	return hostTable{
		seed: b.seed, text: string(b.text), filter: b.bloomFilter(), slots: b.slots, sections: b.sections,
		count: b.count, entryShapes: b.entryShapes,
	}
}

// bloomFilter returns the filter of all entries. It reads them in the order of the text,
// which is faster than the order of the slots. Replaced entries are few and do no harm.
func (b *hostTableBuilder) bloomFilter() bloomFilter {
	f := newBloomFilter(b.count)
	for at := 1; at < len(b.text); at += 1 + int(b.text[at]) {
		f.add(maphash.Bytes(b.seed, b.entry(at)))
	}
	return f
}
