package hashes

import "sort"

// log has the last changes of a feed. The zero log has all of them, as long as none was left out.
type log struct {
	// start is the position from which on it has all changes.
	start int64
	// places are those of the changes.
	places  []place
	changes []change
}

// place says where a change is: after a position of the feed, and at most at the last one. Over HTTP, all changes of
// a page have the same place.
type place struct{ after, last int64 }

// append returns the log with another change, but at most the given number of them. They come in the order of the
// feed. It keeps what l has, but may be called only once for each l.
func (l log) append(at place, c change, most int) log {
	l.places, l.changes = append(withRoom(l.places, most), at), append(withRoom(l.changes, most), c)
	if old := len(l.changes) - most; old > 0 {
		l.start = l.places[old-1].last
		l.places, l.changes = l.places[old:], l.changes[old:]
	}
	return l
}

// withRoom returns the list with room for another element. As it has at most the given number, it grows to little
// more than that, where append would grow it by a quarter.
func withRoom[T any](list []T, most int) []T {
	if len(list) < cap(list) {
		return list
	}
	return append(make([]T, 0, min(2*len(list)+64, most+most/16+1)), list...)
}

// since returns the changes after a position. It reports false if the log does not have all of them, or does not
// know which ones come after it.
func (l log) since(position int64) ([]change, bool) {
	if position < l.start {
		return nil, false
	}
	first := sort.Search(len(l.places), func(i int) bool { return l.places[i].last > position })
	if first < len(l.places) && l.places[first].after < position {
		return nil, false
	}
	return l.changes[first:], true
}
