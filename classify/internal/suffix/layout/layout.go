// Package layout says how the table of public suffixes is laid out. The
// generator writes the table by it, and package suffix reads it.
//
// The table is a perfect hash table of names. A name is a rule of the list
// without its `*.` or `!`, or the part of a rule after one of its dots. A name's
// hash chooses a seed, and hash and seed choose the one slot in which the name
// can be. The generator looks for seeds with which no two names share a slot.
package layout

const (
	seedBits = 11
	slotBits = 13

	// Seeds is the number of seeds.
	Seeds = 1 << seedBits
	// Slots is the number of slots.
	Slots = 1 << slotBits
)

// Hash is the hash of a name. The zero Hash is that of the empty name.
type Hash uint64

// Prepend returns the hash of the name that has the byte c before the name of
// h. Domains are read from their end, and so one pass hashes every suffix.
func (h Hash) Prepend(c byte) Hash {
	// The multiplier is 2^64 divided by the golden ratio: an odd number whose
	// bits spread each byte up to the top of the hash, where Seed and Slot look.
	return (h ^ Hash(c)) * 0x9e3779b97f4a7c15
}

// Seed returns which seed belongs to the hash.
func (h Hash) Seed() int { return int(h >> (64 - seedBits)) }

// Slot returns the slot in which a name with this hash and seed can be.
func (h Hash) Slot(seed uint8) int {
	return int(h.Prepend(seed) >> (64 - slotBits))
}

// Entry is what a slot holds: where the text of the name is among the rules,
// and what the list says of it. The zero Entry is an empty slot.
type Entry uint32

// Flag is something that the list says of a name.
type Flag uint32

// What the list says of a name.
const (
	// Rule: the name is a rule.
	Rule Flag = 1 << iota
	// Wildcard: the name with any one label before it is a rule.
	Wildcard
	// Exception: the name is an exception to a wildcard.
	Exception
	// Longer: there are rules that end in a dot and this name.
	Longer

	flagBits   = 4
	lengthBits = 8

	// MaxLength is the length of the longest name that fits into an entry.
	MaxLength = 1<<lengthBits - 1
	// MaxOffset is the largest offset that fits into an entry.
	MaxOffset = 1<<(32-lengthBits-flagBits) - 1
)

// NewEntry returns the entry of the name that begins at offset and has that
// length. Neither may be negative or above its maximum.
func NewEntry(offset, length int, flags Flag) Entry {
	return Entry(offset)<<(lengthBits+flagBits) | Entry(length)<<flagBits | Entry(flags) //nolint:gosec // both fit
}

// Name returns the name, which is a part of the rules.
func (e Entry) Name(rules string) string {
	offset := int(e >> (lengthBits + flagBits))
	length := int(e >> flagBits & MaxLength)
	return rules[offset : offset+length]
}

// Has reports whether the list says that of the name.
func (e Entry) Has(flag Flag) bool { return Flag(e)&flag != 0 }
