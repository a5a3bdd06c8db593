package asset_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/memory"
)

// sized is an item with that size.
type sized int

func (s sized) PageBytes() int { return int(s) }

// yielding yields the items and then, unless it is nil, the error. It sets read to the number of
// items that were asked for.
func yielding(items []sized, err error, read *int) iter.Seq2[sized, error] {
	return func(yield func(sized, error) bool) {
		for _, item := range items {
			*read++
			if !yield(item, nil) {
				return
			}
		}
		if err != nil {
			yield(0, err)
		}
	}
}

func TestReadPage(t *testing.T) {
	t.Parallel()
	const most = asset.MaxPageBytes
	for reason, c := range map[string]struct {
		items []sized
		limit int
		want  int
		more  bool
	}{
		"no items":                       {nil, 10, 0, false},
		"fewer than the limit":           {[]sized{1, 2}, 3, 2, false},
		"as many as the limit":           {[]sized{1, 2, 3}, 3, 3, false},
		"more than the limit":            {[]sized{1, 2, 3, 4, 5}, 3, 3, true},
		"one byte below the bound":       {[]sized{most / 2, most/2 - 1}, 10, 2, false},
		"at the bound":                   {[]sized{most / 2, most / 2}, 10, 2, false},
		"one byte above the bound":       {[]sized{most / 2, most/2 + 1}, 10, 1, true},
		"another item after the bound":   {[]sized{most, 1, 1}, 10, 1, true},
		"a smaller item would still fit": {[]sized{most - 1, 2, 1}, 10, 1, true},
		"a large item alone":             {[]sized{most + 1}, 10, 1, false},
		"a large item first":             {[]sized{2 * most, 1}, 10, 1, true},
		"a large item later":             {[]sized{1, 2 * most, 1}, 10, 1, true},
		"a limit without a next item":    {[]sized{most}, 1, 1, false},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			read := 0
			got, err := asset.ReadPage(c.limit, yielding(c.items, nil, &read))
			require.NoError(t, err)
			require.True(t, slices.Equal(c.items[:c.want], got.Items))
			require.Equal(t, c.more, got.More)
			require.LessOrEqual(t, read, c.want+1, "it stops at the first item that does not fit")
		})
	}
}

func TestReadPage_Error(t *testing.T) {
	t.Parallel()
	failure := errors.New("failure")
	read := 0
	got, err := asset.ReadPage(10, yielding([]sized{1, 2}, failure, &read))
	require.ErrorIs(t, err, failure)
	require.Zero(t, got)
	got, err = asset.ReadPage(1, yielding([]sized{1, 2}, failure, &read))
	require.NoError(t, err, "the error comes after the page")
	require.Equal(t, asset.Page[sized]{Items: []sized{1}, More: true}, got)
}

func TestPageBytes(t *testing.T) {
	t.Parallel()
	require.Equal(t, asset.PageBytes()+7, asset.PageBytes("abc", "", "\u00e9ab"))
	require.LessOrEqual(t, asset.MaxLimit*asset.PageBytes(strings.Repeat("c", 150)), asset.MaxPageBytes, "ordinary changes fill a page")
}

// Lists of contents of 8 KB are complete, although each page has few of them.
func TestService_Changes_LongContents(t *testing.T) {
	t.Parallel()
	f := newFixture()
	const n = 200
	for i := range n {
		f.set(t, fmt.Sprintf("a%0*d", 8<<10, i), asset.StatusBlocked)
	}
	all := f.changes(t, asset.ChangeFilter{})
	require.Len(t, all, n)
	for i, change := range all {
		require.EqualValues(t, n-i, change.ID)
	}

	var paged []asset.Change
	req := asset.ListChangesRequest{Limit: asset.MaxLimit}
	for more := true; more; {
		page, err := f.ListChanges(t.Context(), req)
		require.NoError(t, err)
		require.Len(t, page.Changes, min(31, n-len(paged)))
		paged = append(paged, page.Changes...)
		req.Cursor = page.NextCursor
		more = req.Cursor != (asset.ChangeCursor{})
	}
	require.Equal(t, all, paged)

	changes, _ := followed(t, f, asset.FeedCursor{})
	slices.Reverse(changes)
	require.Equal(t, all, changes)
}

// limits is a store that records the limits of pages.
type limits struct {
	*memory.Store
	seen []int
}

func (l *limits) Changes(ctx context.Context, req asset.ListChangesRequest) (asset.Page[asset.Change], error) {
	l.seen = append(l.seen, req.Limit)
	return l.Store.Changes(ctx, req)
}

// A page that bytes end is followed by one with a smaller limit, which grows again.
func TestService_Changes_Limits(t *testing.T) {
	t.Parallel()
	f := newFixture()
	for i := range 200 {
		f.set(t, fmt.Sprint("short", i), asset.StatusBlocked)
	}
	for i := range 70 {
		f.set(t, fmt.Sprintf("a%0*d", 8<<10, i), asset.StatusBlocked)
	}
	store := &limits{Store: f.store}
	n := 0
	for _, err := range asset.NewService(store, asset.Options{}).Changes(t.Context(), asset.ChangeFilter{}) {
		require.NoError(t, err)
		n++
	}
	require.Equal(t, 270, n)
	require.Equal(t, []int{asset.MaxLimit, 39, 39, 78, 156}, store.seen)
}
