package phishlist

// maxUnits is the number of units of the longest name that is compared with a
// target's: as long as the longest target can be, and the greatest tolerance more.
const maxUnits = maxHost + MaxTolerance

// areNear reports whether the Levenshtein distance between two names is at most the
// limit. They have at most maxUnits units each.
func areNear(n, target *name, limit int) bool {
	if n.isBytes() && target.isBytes() {
		return areWithin([]byte(n.before), []byte(target.before), limit)
	}
	var one, other [maxUnits]uint16
	return areWithin(n.appendTo(one[:0]), target.appendTo(other[:0]), limit)
}

// areWithin reports whether at most the given number of edits, which is at most
// MaxTolerance, leads from a to b. What is the same at both ends needs none, which
// mostly leaves next to nothing.
func areWithin[U byte | uint16](a, b []U, edits int) bool {
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
	return haveFewEdits(a, b, edits)
}

// haveFewEdits is areWithin for what is not the same at either end.
//
// It is Ukkonen's method: for one edit more each time it finds out how far one comes
// in a on each diagonal of the usual table, where equal units cost nothing. On diagonal
// d, the place in b is d further than the place in a, so edits that are few reach few
// diagonals.
func haveFewEdits[U byte | uint16](a, b []U, edits int) bool {
	const (
		middle = MaxTolerance + 1 // where diagonal 0 stands
		never  = -maxUnits - 1    // so far below 0 that no edit helps
	)
	var rows [2][2*middle + 1]int16 // enough for maxUnits
	for k := middle - edits - 1; k <= middle+edits+1; k++ {
		rows[0][k], rows[1][k] = never, never
	}
	last := len(b) - len(a)
	for n := range edits + 1 {
		before, now := &rows[n&1], &rows[1-n&1]
		left := edits - n // no more than these lead back to the last diagonal
		for d := max(-n, last-left); d <= min(n, last+left); d++ {
			at := 0
			if n > 0 { // a unit goes and another comes, or one comes, or one goes
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
