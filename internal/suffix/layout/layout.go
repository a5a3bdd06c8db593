// Package layout defines the layout of the table of public suffixes, which the generator
// writes and package suffix reads.
//
// The table is a perfect hash table of names. A name is a rule of the list without its
// `*.` or `!`, or the part of a rule after one of its dots. The hash of a name selects a
// seed. Hash and seed select the only slot that may contain the name. The generator finds
// seeds with which no two names share a slot.
package layout

const (
	seedBits = 12
	slotBits = 14

	// Seeds is the number of seeds.
	Seeds = 1 << seedBits
	// Slots is the number of slots.
	Slots = 1 << slotBits
)

// Hash is the hash of a name. The zero Hash is that of the empty name.
type Hash uint64

// Prepend returns the hash of the name that begins with c and continues with the name of
// h. Domains are read from the end, so that one pass hashes every suffix.
func (h Hash) Prepend(c byte) Hash {
	// The multiplier is 2^64 divided by the golden ratio, an odd number. It spreads
	// each byte to the top bits of the hash, which Seed and Slot use.
	return (h ^ Hash(c)) * 0x9e3779b97f4a7c15
}

// Seed returns the index of the seed for the hash.
func (h Hash) Seed() int { return int(h >> (64 - seedBits)) }

// Slot returns the only slot for a name with this hash and seed.
func (h Hash) Slot(seed uint8) int {
	return int(h.Prepend(seed) >> (64 - slotBits))
}

// Entry is the content of a slot: the position of the name in the rules, and its flags.
// The zero Entry is an empty slot.
type Entry uint32

// Flag is a property of a name in the list.
type Flag uint32

// The flags of a name. Those with Private are for the private section of the list, the
// others for the ICANN section.
const (
	// Rule means that the name is a rule.
	Rule Flag = 1 << iota
	// Wildcard means that the name after any one label is a rule.
	Wildcard
	// Exception means that the name is an exception to a wildcard.
	Exception
	// PrivateRule, PrivateWildcard and PrivateException are the same for the private
	// section.
	PrivateRule
	PrivateWildcard
	PrivateException
	// Longer means that longer rules of either section end in a dot and this name.
	Longer

	flagBits   = 7
	lengthBits = 7

	// MaxLength is the maximum length of a name.
	MaxLength = 1<<lengthBits - 1
	// MaxOffset is the maximum offset of a name.
	MaxOffset = 1<<(32-lengthBits-flagBits) - 1
)

// NewEntry returns the entry of the name with the given offset and length, which must be
// from 0 to their maximum.
func NewEntry(offset, length int, flags Flag) Entry {
	return Entry(offset)<<(lengthBits+flagBits) | Entry(length)<<flagBits | Entry(flags) //nolint:gosec // both fit
}

// Name returns the name, which is a substring of the rules.
func (e Entry) Name(rules string) string {
	offset := int(e >> (lengthBits + flagBits))
	length := int(e >> flagBits & MaxLength)
	return rules[offset : offset+length]
}

// Has reports whether the name has the flag, or one of several.
func (e Entry) Has(flag Flag) bool { return Flag(e)&flag != 0 }
