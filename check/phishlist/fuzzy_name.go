package phishlist

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// name is the part of a host that is compared with fuzzy targets: all labels except the
// last, without the first "www.". Removing that may leave two pieces; a name in one
// piece has an empty after.
type name struct {
	before, after string
	shape
}

// shape is a summary of a text. Two shapes can show that the texts are not similar.
type shape struct {
	units int // UTF-16 code units
	// marks has a bit for each unit that occurs. Several units share a bit.
	marks uint64
	ascii bool
}

const (
	www = "www."
	// wwwMarks are the marks of every text that contains "www.".
	wwwMarks = 1<<('w'&63) | 1<<('.'&63)
	// maxUnitBytes is the greatest number of UTF-8 bytes for one UTF-16 code unit.
	maxUnitBytes = 3
	// maxBytes is the greatest number of bytes of a host that are read for its name.
	maxBytes = maxUnits*maxUnitBytes + len(www) + 1
)

// set makes n, which must be empty, the name of a host. It returns false if the name has
// more units than the limit, which is at most maxUnits. It does not read all of a host
// that is much longer.
func (n *name) set(host string, limit int) bool {
	// If the name is within the limit, the dot after it is within these bytes.
	if most := limit*maxUnitBytes + len(www) + 1; len(host) > most {
		if strings.IndexByte(host[most:], '.') >= 0 {
			return false
		}
		host = host[:most]
	}
	n.before = cutLastLabel(host)
	n.measure()
	if n.marks&wwwMarks == wwwMarks { // true for few hosts, and cheaper than a search
		n.cutWWW()
	}
	return n.units <= limit
}

// cutLastLabel returns the host without its last label and the dot before it. The result
// is empty for a host with one label.
func cutLastLabel(host string) string {
	return host[:max(0, strings.LastIndexByte(host, '.'))]
}

// cutWWW removes the first "www." from a name in one piece. The name stays in one piece
// if it begins with "www.".
func (n *name) cutWWW() {
	before, after, found := strings.Cut(n.before, www)
	if !found {
		return
	}
	n.before, n.after = before, after
	if before == "" {
		n.before, n.after = after, ""
	}
	n.measure()
}

// measure sets the shape. Most names are ASCII and in one piece, so that their bytes are
// their units.
func (n *name) measure() {
	n.shape = shapeOf([]byte(n.before))
	if !n.isBytes() {
		var buffer [maxBytes]uint16
		n.shape = shapeOf(n.appendTo(buffer[:0]))
	}
}

// isBytes reports whether the bytes of before are the units of the name.
func (n *name) isBytes() bool { return n.ascii && n.after == "" }

// shapeOf returns the shape of a text. For bytes, it is correct only if they are ASCII.
func shapeOf[U byte | uint16](text []U) shape {
	var marks uint64
	var all U
	for _, unit := range text {
		marks |= 1 << (unit & 63)
		all |= unit
	}
	return shape{units: len(text), marks: marks, ascii: all < utf8.RuneSelf}
}

// appendTo appends the units of the name.
func (n *name) appendTo(units []uint16) []uint16 {
	return appendUnits(appendUnits(units, n.before), n.after)
}

// appendUnits appends the UTF-16 code units of a text.
func appendUnits(units []uint16, text string) []uint16 {
	for _, r := range text {
		if r < utf8.RuneSelf {
			units = append(units, uint16(r)) //nolint:gosec // ASCII
		} else {
			units = utf16.AppendRune(units, r)
		}
	}
	return units
}
