package phishlist

import (
	"math/bits"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// www is removed once from the name of a checked host.
const www = "www."

// name is a host without its last label, as it is compared with those of other hosts.
type name struct {
	units []uint16 // UTF-16 code units
	// marks has a bit for each unit that occurs. Several units share a bit.
	marks uint64
}

// appendName returns the name that consists of texts, in the memory of a buffer.
func appendName(units []uint16, texts ...string) name {
	n := name{units: units}
	for _, text := range texts {
		for _, r := range text {
			n.units = utf16.AppendRune(n.units, r)
		}
	}
	for _, unit := range n.units {
		n.marks |= 1 << (unit & 63)
	}
	return n
}

// cutLastLabel returns the host without its last label and the dot before it. The result
// is empty for a host with one label.
func cutLastLabel(host string) string {
	return host[:max(0, strings.LastIndexByte(host, '.'))]
}

// fuzzyTargets are the targets of one list, in file order.
type fuzzyTargets struct {
	list      int // the number of the list in the file
	tolerance int
	all       []target
}

// target is one entry of a fuzzylist.
type target struct {
	text string // as in the list
	name name
}

// newFuzzyTargets returns the targets with the given texts, each of at most maxHost
// bytes.
func newFuzzyTargets(list, tolerance int, texts []string) fuzzyTargets {
	t := fuzzyTargets{list: list, tolerance: tolerance, all: make([]target, len(texts))}
	for i, text := range texts {
		t.all[i] = target{text: text, name: appendName(nil, cutLastLabel(text))}
	}
	return t
}

// reach returns the number of units of the longest name that resembles a target.
func (t *fuzzyTargets) reach() int {
	longest := 0
	for _, target := range t.all {
		longest = max(longest, len(target.name.units))
	}
	return longest + t.tolerance
}

// resembled returns the first target that the host resembles, and the number of its
// list. It returns "" if there is none in the lists with numbers below before.
func (l *List) resembled(host string, before int) (target string, list int) {
	if len(l.targets) == 0 || l.targets[0].list >= before {
		return "", 0
	}
	// Each unit has at most three bytes. If the name is short enough, its dot is within these.
	most := 3*l.longestName + len(www) + 1
	if len(host) > most {
		if strings.IndexByte(host[most:], '.') >= 0 {
			return "", 0
		}
		host = host[:most]
	}
	start, end, _ := strings.Cut(cutLastLabel(host), www)
	if utf8.RuneCountInString(start)+utf8.RuneCountInString(end) > l.longestName {
		return "", 0
	}
	var buffer [2 * maxUnits]uint16 // for runes of two units
	n := appendName(buffer[:0], start, end)
	for i := range l.targets {
		t := &l.targets[i]
		if t.list >= before {
			break
		}
		if found := t.first(n); found != "" {
			return found, t.list
		}
	}
	return "", 0
}

// first returns the first target whose name is within the tolerance, or "".
func (t *fuzzyTargets) first(n name) string {
	for i := range t.all {
		target := &t.all[i]
		surplus := len(n.units) - len(target.name.units)
		surplus = max(surplus, -surplus)
		// Each edit that evens out the lengths changes one mark at most, any other two.
		if surplus <= t.tolerance && bits.OnesCount64(target.name.marks^n.marks) <= 2*t.tolerance-surplus &&
			within(n.units, target.name.units, t.tolerance) {
			return target.text
		}
	}
	return ""
}
