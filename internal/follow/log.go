package follow

import "slices"

// Log has the last items at positions of a feed. The zero Log has all of them, as long as none was left
// out.
type Log[T any] struct {
	// start is the position from which on it has all items.
	start int64
	// positions are those of the items.
	positions []int64
	items     []T
}

// NewLog returns a Log that begins after a position.
func NewLog[T any](start int64) Log[T] { return Log[T]{start: start} }

// Append returns the log with another item, but at most the given number of them. The position is larger
// than those before. It keeps what l has, but may be called only once for each l.
func (l Log[T]) Append(position int64, item T, most int) Log[T] {
	l.positions, l.items = append(l.positions, position), append(l.items, item)
	if old := len(l.items) - most; old > 0 {
		l.start = l.positions[old-1]
		l.positions, l.items = l.positions[old:], l.items[old:]
	}
	return l
}

// Since returns the items after a position. It reports false if the log does not have all of them.
func (l Log[T]) Since(position int64) ([]T, bool) {
	if position < l.start {
		return nil, false
	}
	first, _ := slices.BinarySearch(l.positions, position+1)
	return l.items[first:], true
}

// All returns all items, and whether some are left out.
func (l Log[T]) All() (items []T, complete bool) { return l.items, l.start == 0 }
