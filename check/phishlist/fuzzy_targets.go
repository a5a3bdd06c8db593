package phishlist

import (
	"math/bits"
	"slices"
)

// fuzzyTargets are the targets of one list, sorted by the length of their names in
// units. A search looks only at names of similar length.
type fuzzyTargets struct {
	list      int // the number of the list in the file
	tolerance int
	all       []target
	// marks are the marks of the targets. They are read far more often than the
	// targets, so they are kept together.
	marks []uint64
	// starts has, for each length up to the longest, the index of the first target of
	// at least that length, and then the number of targets.
	starts []int
}

// target is one entry of a fuzzylist.
type target struct {
	text  string // as in the list
	order int    // in the list
	name  name
}

// newFuzzyTargets returns the targets with the given texts, each of at most maxHost
// bytes.
func newFuzzyTargets(list, tolerance int, texts []string) fuzzyTargets {
	t := fuzzyTargets{list: list, tolerance: tolerance, all: make([]target, len(texts))}
	for i, text := range texts {
		t.all[i] = target{text: text, order: i, name: name{before: cutLastLabel(text)}}
		t.all[i].name.measure()
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
func (t *fuzzyTargets) longest() int { return len(t.starts) - 2 }

// first returns the target that the name resembles, or nil. Of several it returns the
// first one in the list.
func (t *fuzzyTargets) first(n *name) *target {
	shortest, longest := max(0, n.units-t.tolerance), min(t.longest(), n.units+t.tolerance)
	if shortest > longest {
		return nil
	}
	from, to := t.starts[shortest], t.starts[longest+1]
	// An edit changes at most two marks: one for the removed unit, one for the added.
	wanted, most := n.marks, 2*t.tolerance
	var found *target
	for i, marks := range t.marks[from:to] {
		if bits.OnesCount64(marks^wanted) > most {
			continue
		}
		target := &t.all[from+i]
		if (found == nil || target.order < found.order) && target.resembles(n, t.tolerance) {
			found = target
		}
	}
	return found
}

// resembles reports whether the distance between the names is at most the tolerance.
func (t *target) resembles(n *name, tolerance int) bool {
	// Edits that even out the lengths change only one mark each.
	most := 2*tolerance - abs(n.units-t.name.units)
	return bits.OnesCount64(t.name.marks^n.marks) <= most && namesWithin(n, &t.name, tolerance)
}

func abs(n int) int { return max(n, -n) }
