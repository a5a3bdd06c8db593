package client

import "iter"

// pages yields the items of all pages of a list. read returns the page at a cursor, zero for the first
// one, and the cursor of the next page, zero after the last one.
func pages[T any, Cursor comparable](operation string, first Cursor, read func(Cursor) ([]T, Cursor, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var (
			none T
			end  Cursor
		)
		for cursor := first; ; {
			items, next, err := read(cursor)
			if err == nil && next != end && next == cursor {
				err = &Error{Operation: operation, Err: responseError("the cursor does not move on")}
			}
			if err != nil {
				yield(none, err)
				return
			}
			for _, one := range items {
				if !yield(one, nil) {
					return
				}
			}
			if next == end {
				return
			}
			cursor = next
		}
	}
}
