// Package layout defines the layout of the tables of package unicode17, which the generator
// writes.
//
// A table is a sequence of records in ascending order. A record consists of numbers of three bytes,
// the most significant byte first: a code point and a value. It holds from the code point on, up to
// that of the next record, or for the code point alone.
package layout

// Size is the size of a number in bytes.
const Size = 3

// The values of UTS #46. Any other is the position of the text that a character is mapped to; see
// [Text].
const (
	Valid = iota
	Ignored
	Disallowed
	// Mapped is not a value of a record.
	Mapped
)

const lengthBits = 6

// Text returns the value for a text at a position of the texts, and with a length below 1<<6.
func Text(at, length int) int {
	if length == 0 || length >= 1<<lengthBits || at >= 1<<(8*Size-lengthBits) {
		panic("a text that does not fit")
	}
	return length<<(8*Size-lengthBits) | at
}

// CutText returns the text of a value. It reports false for other values.
func CutText(texts string, value int) (string, bool) {
	length, at := value>>(8*Size-lengthBits), value&(1<<(8*Size-lengthBits)-1)
	if length == 0 {
		return "", false
	}
	return texts[at : at+length], true
}

// Category is a group of general categories.
type Category int

// The categories.
const (
	Other Category = iota
	Letter
	Mark
	Number
)

// Bidi is a class of characters in RFC 5893.
type Bidi int

// The classes. BidiNone has all that no label with characters from right to left contains.
const (
	BidiNone Bidi = iota
	BidiL
	BidiR
	BidiAL
	BidiAN
	BidiEN
	BidiES
	BidiCS
	BidiET
	BidiON
	BidiBN
	BidiNSM
)

// Joining is a joining type.
type Joining int

// The joining types that RFC 5892, appendix A.1, names.
const (
	JoinsNone Joining = iota
	JoinsLeft
	JoinsRight
	JoinsDual
	JoinsTransparent
)

// Properties returns the value for properties. The class is the canonical combining class.
func Properties(category Category, bidi Bidi, joining Joining, class int) int {
	return int(category)<<16 | int(bidi)<<12 | int(joining)<<8 | class
}

// Split returns the properties of a value.
func Split(value int) (category Category, bidi Bidi, joining Joining, class int) {
	return Category(value >> 16), Bidi(value >> 12 & 0xf), Joining(value >> 8 & 0xf), value & 0xff
}
