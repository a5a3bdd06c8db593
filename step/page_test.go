package step_test

import (
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/step"
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
	const most = step.MaxPageBytes
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
			got, err := step.ReadPage(c.limit, yielding(c.items, nil, &read))
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
	got, err := step.ReadPage(10, yielding([]sized{1, 2}, failure, &read))
	require.ErrorIs(t, err, failure)
	require.Zero(t, got)
	got, err = step.ReadPage(1, yielding([]sized{1, 2}, failure, &read))
	require.NoError(t, err, "the error comes after the page")
	require.Equal(t, step.Page[sized]{Items: []sized{1}, More: true}, got)
}

func TestPageBytes(t *testing.T) {
	t.Parallel()
	require.Equal(t, step.PageBytes()+7, step.PageBytes("abc", "", "\u00e9ab"))
	require.LessOrEqual(t, 1000*step.PageBytes(strings.Repeat("c", 150)), step.MaxPageBytes, "ordinary changes fill a page")
}

func TestPages(t *testing.T) {
	t.Parallel()
	const most = step.MaxPageBytes
	full := step.Page[sized]{Items: make([]sized, 1000), More: true}
	few := step.Page[sized]{Items: []sized{most / 4, most / 4, most / 4, most / 4}, More: true}
	last := step.Page[sized]{Items: []sized{1}}
	for reason, c := range map[string]struct {
		pages []step.Page[sized]
		want  []int
	}{
		"no more than the maximum after full pages": {[]step.Page[sized]{full, full, last}, []int{1000, 1000, 1000}},
		"little more than fits after a page that its bytes ended": {
			[]step.Page[sized]{few, few, last}, []int{1000, 6, 6},
		},
		"twice as much after a small page that is full": {
			[]step.Page[sized]{few, {Items: make([]sized, 6), More: true}, last}, []int{1000, 6, 12},
		},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			var limits []int
			items := step.Pages(0, func(s sized) int { return int(s) }, func(_, limit int) (step.Page[sized], error) {
				limits = append(limits, limit)
				return c.pages[len(limits)-1], nil
			})
			for _, err := range items {
				require.NoError(t, err)
			}
			require.Equal(t, c.want, limits)
		})
	}
}
