package phishlist

import (
	"bytes"
	"hash/maphash"
)

// builder gathers the entries of [hosts].
type builder struct {
	seed     maphash.Seed
	text     []byte
	slots    []slot
	sections []section
	count    int
	repeated int
	// began is where the text ended when the last section began.
	began int
	reach
}

func newBuilder() *builder {
	return &builder{
		seed:  maphash.MakeSeed(),
		text:  []byte{0}, // so that no entry stands at 0
		slots: make([]slot, 1024),
	}
}

// begin begins the section that the next entries belong to. It takes the place of one
// that has none.
func (b *builder) begin(list int, allow bool) {
	if n := len(b.sections); n > 0 && b.began == len(b.text) {
		b.sections = b.sections[:n-1]
	}
	b.began = len(b.text)
	b.sections = append(b.sections, section{end: len(b.text), list: list, allow: allow})
}

// add adds an entry, of 1 to maxHost bytes, unless one that decides before it is
// there.
func (b *builder) add(host []byte) {
	hash := maphash.Bytes(b.seed, host)
	i := b.search(host, hash)
	current := b.sections[len(b.sections)-1]
	switch {
	case b.slots[i] == 0:
		b.count++
	case current.allow && !sectionAt(b.sections, b.slots[i].at()).allow:
		b.repeated++ // the entry of the blocklist, which this one replaces
	default:
		b.repeated++
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

// search returns the slot that has the entry, or the empty one where it belongs.
func (b *builder) search(host []byte, hash uint64) int {
	for i := scaled(hash, len(b.slots)); ; {
		s := b.slots[i]
		if s == 0 || s.mayHave(hash) && bytes.Equal(b.entry(s.at()), host) {
			return i
		}
		if i++; i == len(b.slots) {
			i = 0
		}
	}
}

func (b *builder) entry(at int) []byte {
	return b.text[at+1 : at+1+int(b.text[at])]
}

// resize gives the table so many slots.
func (b *builder) resize(slots int) {
	old := b.slots
	b.slots = make([]slot, slots)
	for _, s := range old {
		if s != 0 {
			hash := maphash.Bytes(b.seed, b.entry(s.at()))
			b.slots[b.search(b.entry(s.at()), hash)] = s
		}
	}
}

// hosts returns what was gathered, in no more memory than it needs. A quarter of the
// slots is empty, so that searches end soon.
func (b *builder) hosts() hosts {
	b.resize(b.count + b.count/3 + 1)
	return hosts{
		seed: b.seed, text: string(b.text), filter: b.filter(), slots: b.slots, sections: b.sections,
		count: b.count, reach: b.reach,
	}
}

// filter returns one of the entries, in the order of the text, which is faster than in
// that of the table. The few that were replaced do no harm in it.
func (b *builder) filter() filter {
	f := newFilter(b.count)
	for at := 1; at < len(b.text); at += 1 + int(b.text[at]) {
		f.add(maphash.Bytes(b.seed, b.entry(at)))
	}
	return f
}
