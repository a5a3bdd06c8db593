package storagetest

import (
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
)

// pages reads a list in pages of at most limit items. It calls read with the last item of
// the previous page, or the zero value for the first page. The pages must be those of
// asset.ReadPage.
func pages[T asset.PageItem](p *probe, limit int, read func(last T) asset.Page[T]) [][]T {
	p.Helper()
	var list []asset.Page[T]
	for more := true; more; {
		var last T
		if len(list) > 0 {
			last = list[len(list)-1].Last()
		}
		page := read(last)
		require.False(p, page.More && len(page.Items) == 0, "a page of a list that continues must not be empty")
		list = append(list, page)
		more = page.More
		require.Less(p, len(list), 10_000, "a list must end, with pages of %d", limit)
	}
	lists := itemsOf(list)
	rest := slices.Concat(lists...)
	for i, page := range list {
		want, _ := asset.ReadPage(limit, withoutErrors(rest))
		require.Len(p, page.Items, len(want.Items), "page %d must be as long as that of asset.ReadPage with limit %d", i, limit)
		require.Equal(p, want.More, page.More, "More of page %d with limit %d", i, limit)
		rest = rest[len(page.Items):]
	}
	return lists
}

func itemsOf[T asset.PageItem](list []asset.Page[T]) [][]T {
	lists := make([][]T, len(list))
	for i, page := range list {
		lists[i] = page.Items
	}
	return lists
}

// withoutErrors yields the items.
func withoutErrors[T any](items []T) func(yield func(T, error) bool) {
	return func(yield func(T, error) bool) {
		for _, item := range items {
			if !yield(item, nil) {
				return
			}
		}
	}
}

// allPages reads a whole list in pages of at most limit items. It calls read as pages does.
func allPages[T asset.PageItem](p *probe, limit int, read func(last T) asset.Page[T]) []T {
	p.Helper()
	return slices.Concat(pages(p, limit, read)...)
}

// everyPageSize requires that pages of each size return the whole list. It calls read as
// pages does.
func everyPageSize[T asset.PageItem](p *probe, whole []T, read func(last T, size int) asset.Page[T]) {
	p.Helper()
	for size := 1; size <= len(whole)+1; size++ {
		all := allPages(p, size, func(last T) asset.Page[T] { return read(last, size) })
		require.Equal(p, whole, all, "pages of %d must return the whole list", size)
	}
}
