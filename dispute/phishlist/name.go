package phishlist

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// name is the part of a host that fuzzy targets are compared with: all but the last
// label, without the first "www.". That may leave two pieces; of one, after is empty.
type name struct {
	before, after string
	shape
}

// shape is what can be told of a text at a glance, to see that another is not near.
type shape struct {
	units int // of UTF-16
	// marks has a bit for each unit that occurs. Many share a bit.
	marks uint64
	ascii bool
}

const (
	www = "www."
	// marksOfWww are those that a text with "www." has.
	marksOfWww = 1<<('w'&63) | 1<<('.'&63)
	// maxUnitBytes is how many bytes of UTF-8 a unit of UTF-16 takes at most.
	maxUnitBytes = 3
	// maxBytes is how many bytes of a host are read at most to find its name.
	maxBytes = maxUnits*maxUnitBytes + len(www) + 1
)

// set makes n, which is empty, the name of a host, or reports false if that has more
// than the given number of units, which is then found out without reading all of it.
// The limit is at most maxUnits.
func (n *name) set(host string, limit int) bool {
	// If the name has no more units than the limit, its end, which is a dot, is
	// within these bytes.
	if most := limit*maxUnitBytes + len(www) + 1; len(host) > most {
		if strings.IndexByte(host[most:], '.') >= 0 {
			return false
		}
		host = host[:most]
	}
	n.before = cutLastLabel(host)
	n.look()
	if n.marks&marksOfWww == marksOfWww { // few hosts; this costs less than to search
		n.cutWww()
	}
	return n.units <= limit
}

// cutLastLabel returns the host without its last label, which leaves nothing of a
// host with one label.
func cutLastLabel(host string) string {
	return host[:max(0, strings.LastIndexByte(host, '.'))]
}

// cutWww takes the first "www." out of a name in one piece, which stays one if nothing
// is before it.
func (n *name) cutWww() {
	before, after, found := strings.Cut(n.before, www)
	if !found {
		return
	}
	n.before, n.after = before, after
	if before == "" {
		n.before, n.after = after, ""
	}
	n.look()
}

// look sets the shape. Most names are ASCII and in one piece, and need not be written
// out in units for it.
func (n *name) look() {
	n.shape = shapeOf([]byte(n.before))
	if !n.isBytes() {
		var buffer [maxBytes]uint16
		n.shape = shapeOf(n.appendTo(buffer[:0]))
	}
}

// isBytes reports whether the bytes before "www." are all the units of the name.
func (n *name) isBytes() bool { return n.ascii && n.after == "" }

// shapeOf returns the shape of a text. That of bytes is right if they are ASCII.
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

// appendUnits appends the units of UTF-16 of a text.
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
