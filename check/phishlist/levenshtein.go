package phishlist

// maxUnits is the number of units of the longest name that is ever compared: the
// longest target plus the greatest tolerance.
const maxUnits = maxHost + MaxTolerance

// within reports whether at most the given number of edits, which is at most
// MaxTolerance, turns a into b. It skips the common prefix and suffix, which leaves
// very little of most names.
func within(a, b []uint16, edits int) bool {
	shorter := min(len(a), len(b))
	start := 0
	for start < shorter && a[start] == b[start] {
		start++
	}
	end := 0
	for end < shorter-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	a, b = a[start:len(a)-end], b[start:len(b)-end]
	if len(a) == 0 || len(b) == 0 {
		return len(a)+len(b) <= edits
	}
	return withinDiagonals(a, b, edits)
}

// withinDiagonals is within by Ukkonen's algorithm.
//
// For each number of edits, it computes how far into a each diagonal of the usual
// table reaches; equal units cost nothing. On diagonal d, the index into b is the index
// into a plus d. Few edits reach few diagonals.
func withinDiagonals(a, b []uint16, edits int) bool {
	const (
		middle      = MaxTolerance + 1 // the index of diagonal 0
		unreachable = -maxUnits - 1    // so low that no edit makes it positive
	)
	var rows [2][2*middle + 1]int16 // int16 holds maxUnits
	for k := middle - edits - 1; k <= middle+edits+1; k++ {
		rows[0][k], rows[1][k] = unreachable, unreachable
	}
	last := len(b) - len(a)
	for n := range edits + 1 {
		before, now := &rows[n&1], &rows[1-n&1]
		left := edits - n // diagonals further than this cannot return to the last one
		for d := max(-n, last-left); d <= min(n, last+left); d++ {
			at := 0
			if n > 0 { // a substitution, an insertion or a deletion
				at = int(max(before[middle+d]+1, before[middle+d-1], before[middle+d+1]+1))
				at = min(at, len(a), len(b)-d)
			}
			for at < len(a) && at+d < len(b) && a[at] == b[at+d] {
				at++
			}
			if at == len(a) && at+d == len(b) {
				return true
			}
			now[middle+d] = int16(at)
		}
	}
	return false
}
