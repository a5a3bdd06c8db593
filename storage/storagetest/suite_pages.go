package storagetest

import (
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/step"
)

// pages reads a list in pages of at most limit items. It calls read with the last item of
// the previous page, or the zero value for the first page. The pages must be those of
// step.ReadPage.
func pages[T step.PageItem](p *probe, limit int, read func(last T) step.Page[T]) [][]T {
	p.Helper()
	var list []step.Page[T]
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
		want := firstPage(rest, limit)
		require.Len(p, page.Items, len(want.Items), "page %d must be as long as that of step.ReadPage with limit %d", i, limit)
		require.Equal(p, want.More, page.More, "More of page %d with limit %d", i, limit)
		rest = rest[len(page.Items):]
	}
	return lists
}

func itemsOf[T step.PageItem](list []step.Page[T]) [][]T {
	lists := make([][]T, len(list))
	for i, page := range list {
		lists[i] = page.Items
	}
	return lists
}

// firstPage returns the page of step.ReadPage.
func firstPage[T step.PageItem](items []T, limit int) step.Page[T] {
	page, _ := step.ReadPage(limit, func(yield func(T, error) bool) {
		for _, item := range items {
			if !yield(item, nil) {
				return
			}
		}
	})
	return page
}

// allPages reads a whole list in pages of at most limit items. It calls read as pages does.
func allPages[T step.PageItem](p *probe, limit int, read func(last T) step.Page[T]) []T {
	p.Helper()
	return slices.Concat(pages(p, limit, read)...)
}

// everyPageSize requires that pages of each size return the whole list. It calls read as
// pages does.
func everyPageSize[T step.PageItem](p *probe, whole []T, read func(last T, size int) step.Page[T]) {
	p.Helper()
	for size := 1; size <= len(whole)+1; size++ {
		all := allPages(p, size, func(last T) step.Page[T] { return read(last, size) })
		require.Equal(p, whole, all, "pages of %d must return the whole list", size)
	}
}
