package phishlist

import (
	"math/bits"
	"slices"
)

// targets are the fuzzy targets of one list. They stand by the length of their names,
// in units, so that those of other lengths are not looked at.
type targets struct {
	list      int // the number of the list in the file
	tolerance int
	all       []target
	// marks are those of the targets. They are looked at far more often than the
	// targets themselves, and so stand close together.
	marks []uint64
	// starts tells for each length up to the longest where the targets of at least
	// that length begin, and then where they end.
	starts []int
}

// target is one entry of a fuzzylist.
type target struct {
	text  string // as it stands in the list
	order int    // in the list
	name  name
}

// newTargets returns the targets with the given texts, which are at most maxHost
// bytes long.
func newTargets(list, tolerance int, texts []string) targets {
	t := targets{list: list, tolerance: tolerance, all: make([]target, len(texts))}
	for i, text := range texts {
		t.all[i] = target{text: text, order: i, name: name{before: cutLastLabel(text)}}
		t.all[i].name.look()
	}
	slices.SortFunc(t.all, func(a, b target) int { return a.name.units - b.name.units })
	t.marks = make([]uint64, len(t.all))
	for i, target := range t.all {
		t.marks[i] = target.name.marks
		for len(t.starts) <= target.name.units {
			t.starts = append(t.starts, i)
		}
	}
	t.starts = append(t.starts, len(t.all))
	return t
}

// longest returns the number of units of the longest name.
func (t *targets) longest() int { return len(t.starts) - 2 }

// first returns the target that the name resembles, and of several the first in the
// list, or nil.
func (t *targets) first(n *name) *target {
	shortest, longest := max(0, n.units-t.tolerance), min(t.longest(), n.units+t.tolerance)
	if shortest > longest {
		return nil
	}
	from, to := t.starts[shortest], t.starts[longest+1]
	// An edit changes two marks at most: that of the unit which goes and that of the one
	// which comes.
	wanted, most := n.marks, 2*t.tolerance
	var found *target
	for i, marks := range t.marks[from:to] {
		if bits.OnesCount64(marks^wanted) > most {
			continue
		}
		target := &t.all[from+i]
		if (found == nil || target.order < found.order) && target.isNear(n, t.tolerance) {
			found = target
		}
	}
	return found
}

// isNear reports whether the name is at most the tolerance from the target's.
func (t *target) isNear(n *name, tolerance int) bool {
	// The edits that make up for the lengths change only one mark each.
	most := 2*tolerance - abs(n.units-t.name.units)
	return bits.OnesCount64(t.name.marks^n.marks) <= most && areNear(n, &t.name, tolerance)
}

func abs(n int) int { return max(n, -n) }
