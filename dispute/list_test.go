package dispute_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
)

func TestListRequest_Validate(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		req    dispute.ListRequest
		fields []string
	}{
		"the zero request":      {dispute.ListRequest{}, nil},
		"the smallest page":     {dispute.ListRequest{Limit: 1}, nil},
		"the largest page":      {dispute.ListRequest{Limit: dispute.MaxLimit}, nil},
		"a negative limit":      {dispute.ListRequest{Limit: -1}, []string{"limit"}},
		"a page too large":      {dispute.ListRequest{Limit: dispute.MaxLimit + 1}, []string{"limit"}},
		"an invalid state":      {dispute.ListRequest{Filter: dispute.Filter{States: []dispute.State{"OPEN", "open"}}}, []string{"states"}},
		"an asset without type": {dispute.ListRequest{Filter: dispute.Filter{Identity: asset.Identity{Canonical: "a"}}}, []string{"content"}},
		"an asset with NUL":     {dispute.ListRequest{Filter: dispute.Filter{Identity: url("\x00")}}, []string{"content"}},
		"an e-mail not UTF-8":   {dispute.ListRequest{Filter: dispute.Filter{Email: "\xff"}}, []string{"email"}},
		"an empty period":       {dispute.ListRequest{Filter: dispute.Filter{Created: asset.Period{Since: noon, Before: noon}}}, []string{"startDate"}},
		"everything invalid": {
			dispute.ListRequest{Limit: -1, Filter: dispute.Filter{States: []dispute.State{""}, Email: "\x00"}},
			[]string{"limit", "states", "email"},
		},
	} {
		require.Equal(t, c.fields, fieldsOf(t, c.req.Validate()), reason)
		_, err := newFixture(t).queue.List(t.Context(), c.req)
		require.Equal(t, c.fields, fieldsOf(t, err), reason)
	}
}

func TestQueueService_List_Pages(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for i := range 7 {
		f.dispute(t, fmt.Sprintf("%d@acme.example", i))
	}
	for _, oldestFirst := range []bool{false, true} {
		for limit := 1; limit <= 8; limit++ {
			req := dispute.ListRequest{Limit: limit, OldestFirst: oldestFirst}
			var ids []int64
			for range 8 {
				page, err := f.queue.List(t.Context(), req)
				require.NoError(t, err)
				require.NotEmpty(t, page.Disputes)
				for _, d := range page.Disputes {
					ids = append(ids, d.ID)
				}
				if req.Cursor = page.NextCursor; req.Cursor == (dispute.Cursor{}) {
					break
				}
			}
			if !oldestFirst {
				slices.Reverse(ids)
			}
			require.Equal(t, []int64{1, 2, 3, 4, 5, 6, 7}, ids, "pages of %d", limit)
		}
	}
}

func TestQueueService_List_DefaultLimit(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for i := range dispute.DefaultLimit + 1 {
		f.dispute(t, fmt.Sprintf("%d@acme.example", i))
	}
	page, err := f.queue.List(t.Context(), dispute.ListRequest{})
	require.NoError(t, err)
	require.Len(t, page.Disputes, dispute.DefaultLimit)
	require.Equal(t, page.Disputes[dispute.DefaultLimit-1].Cursor(), page.NextCursor)
}

func TestQueueService_List_OmitsDescriptionAndNotes(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.put(t, "https://bad.example", asset.StatusBlocked)
	created, err := f.Create(t.Context(), dispute.CreateRequest{
		Content: "https://bad.example", Email: "ada@acme.example", Description: "It is ours.", ViaAPI: true,
	})
	require.NoError(t, err)
	want := created.Dispute
	require.NotEmpty(t, want.Notes)
	want.Description, want.Notes = "", nil
	page, err := f.queue.List(t.Context(), dispute.ListRequest{Filter: dispute.Filter{Email: "ADA@acme.example"}})
	require.NoError(t, err)
	require.Equal(t, dispute.Page{Disputes: []dispute.Dispute{want}}, page)
}

// Each order is the reverse of the other one, and a cursor separates the disputes up to it
// from those after it.
func TestListRequest_Compare(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		disputes := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) dispute.Dispute {
			return dispute.Dispute{
				ID:        rapid.Int64Range(1, 9).Draw(t, "id"),
				CreatedAt: noon.Add(time.Duration(rapid.IntRange(0, 3).Draw(t, "at")) * time.Millisecond),
			}
		}), 1, 9, func(d dispute.Dispute) int64 { return d.ID }).Draw(t, "disputes")
		newest, oldest := dispute.ListRequest{}, dispute.ListRequest{OldestFirst: true}
		slices.SortFunc(disputes, newest.Compare)
		require.True(t, slices.IsSortedFunc(disputes, func(a, b dispute.Dispute) int { return b.CreatedAt.Compare(a.CreatedAt) }))
		reversed := slices.Clone(disputes)
		slices.SortFunc(reversed, oldest.Compare)
		slices.Reverse(reversed)
		require.Equal(t, disputes, reversed)

		at := rapid.IntRange(0, len(disputes)-1).Draw(t, "cursor")
		newest.Cursor, oldest.Cursor = disputes[at].Cursor(), disputes[at].Cursor()
		for i, d := range disputes {
			require.Equal(t, i > at, newest.Match(d, asset.Identity{}, ""), "newest first")
			require.Equal(t, i < at, oldest.Match(d, asset.Identity{}, ""), "oldest first")
		}
	})
}
