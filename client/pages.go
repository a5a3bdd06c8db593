package client

import "iter"

// pages yields the items of all pages of a list. read returns the page at a cursor, 0 for the first
// one, and the cursor of the next page, 0 after the last one.
func pages[T any](operation string, first int64, read func(cursor int64) ([]T, int64, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		for cursor := first; ; {
			items, next, err := read(cursor)
			if err == nil && next != 0 && next == cursor {
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
			if next == 0 {
				return
			}
			cursor = next
		}
	}
}
