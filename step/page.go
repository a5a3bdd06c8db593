package step

import (
	"iter"
	"slices"
)

// MaxPageBytes is the maximum size of a page of any list, in the bytes of
// [PageItem.PageBytes]. An item that is larger has a page of its own.
const MaxPageBytes = 256 << 10

// PageItem is an item of a list.
type PageItem interface {
	// PageBytes returns how much of [MaxPageBytes] the item takes. The function
	// [PageBytes] computes it.
	PageBytes() int
}

// fixedBytes is what an item takes without its texts.
const fixedBytes = 64

// PageBytes returns the size of an item with the texts, for [PageItem].
func PageBytes(texts ...string) int {
	size := fixedBytes
	for _, text := range texts {
		size += len(text)
	}
	return size
}

// maxLimit is the maximum number of items that [Pages] asks for.
const maxLimit = 1000

// Page is a part of a list, as a store returns it. [ReadPage] makes one.
type Page[T PageItem] struct {
	Items []T
	// More reports whether the list continues after the last item. A page may have few
	// items although the list continues.
	More bool
}

// Last returns the last item of a page that has any.
func (p Page[T]) Last() T { return p.Items[len(p.Items)-1] }

// nextLimit returns the limit of the page that follows p, which had the given limit. If
// bytes ended p, the next page asks for little more than fits: a database may send all rows of
// a query, even if the store stops reading.
func (p Page[T]) nextLimit(limit int) int {
	if n := len(p.Items); n < limit {
		return n + n/4 + 1
	}
	return min(2*limit, maxLimit)
}

// Pages yields the items of all pages of a list. It calls read with the first cursor, and then
// with the cursor of the last item of the previous page. It keeps one page in memory, and holds
// no resource of the store while the loop body runs. An error ends the sequence.
func Pages[T PageItem, C any](first C, cursor func(T) C, read func(after C, limit int) (Page[T], error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		after, limit := first, maxLimit
		for {
			page, err := read(after, limit)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, item := range page.Items {
				if !yield(item, nil) {
					return
				}
			}
			if !page.More {
				return
			}
			after, limit = cursor(page.Last()), page.nextLimit(limit)
		}
	}
}

// ReadPage reads the first page of the items. The page has at most limit items and
// [MaxPageBytes], but always at least one item if there is any. ReadPage stops at the first
// item that does not fit, so stores can read their rows while it runs. If there is an
// error, it returns the error only.
//
// The limit is at least 1.
func ReadPage[T PageItem](limit int, items iter.Seq2[T, error]) (Page[T], error) {
	var page Page[T]
	size := 0
	for item, err := range items {
		if err != nil {
			return Page[T]{}, err
		}
		size += item.PageBytes()
		if n := len(page.Items); n > 0 && (n >= limit || size > MaxPageBytes) {
			page.More = true
			break
		}
		page.Items = append(grown(page.Items, limit), item)
	}
	return page, nil
}

// The growth of a page: most have few items or very many.
const (
	firstItems = 16
	growth     = 64
)

// grown returns the items with room for another one.
func grown[T any](items []T, limit int) []T {
	if n := len(items); n == cap(items) {
		items = slices.Grow(items, min(max(firstItems, (growth-1)*n), limit-n))
	}
	return items
}
