package dispute_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
)

func TestFilterMatches(t *testing.T) {
	t.Parallel()
	d := dispute.Dispute{State: dispute.StateUnderReview, CreatedAt: noon}
	for reason, c := range map[string]struct {
		filter dispute.Filter
		want   bool
	}{
		"nothing is asked for":             {dispute.Filter{}, true},
		"its state":                        {dispute.Filter{States: []dispute.State{dispute.StateUnderReview}}, true},
		"its state among others":           {dispute.Filter{States: dispute.States()}, true},
		"another state":                    {dispute.Filter{States: []dispute.State{dispute.StateOpen}}, false},
		"its asset":                        {dispute.Filter{Identity: url("https://a.example")}, true},
		"another asset":                    {dispute.Filter{Identity: url("https://b.example")}, false},
		"another type of asset":            {dispute.Filter{Identity: asset.Identity{Type: asset.TypePage, Canonical: "https://a.example"}}, false},
		"its address in other letter case": {dispute.Filter{Email: " ADA@a.example "}, true},
		"a blank address, which is none":   {dispute.Filter{Email: " "}, true},
		"another address":                  {dispute.Filter{Email: "bob@a.example"}, false},
		"the moment of its creation":       {dispute.Filter{Created: asset.Period{Since: noon, Before: noon.Add(1)}}, true},
		"what came before it":              {dispute.Filter{Created: asset.Period{Before: noon}}, false},
		"what came behind it":              {dispute.Filter{Created: asset.Period{Since: noon.Add(1)}}, false},
		"all that it is but for its state": {dispute.Filter{States: []dispute.State{dispute.StateOpen}, Identity: url("https://a.example"), Email: "ada@a.example"}, false},
	} {
		require.Equal(t, c.want, c.filter.Match(d, url("https://a.example"), "ada@a.example"), reason)
	}
}

func TestListRequestIsValidated(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		req    dispute.ListRequest
		fields []string
	}{
		"the smallest page":          {dispute.ListRequest{Limit: 1}, nil},
		"the largest page":           {dispute.ListRequest{Limit: dispute.MaxLimit}, nil},
		"no limit":                   {dispute.ListRequest{}, []string{"limit"}},
		"a page too large":           {dispute.ListRequest{Limit: dispute.MaxLimit + 1}, []string{"limit"}},
		"a state that is none":       {dispute.ListRequest{Limit: 1, Filter: dispute.Filter{States: []dispute.State{"OPEN", "open"}}}, []string{"state"}},
		"an asset without a type":    {dispute.ListRequest{Limit: 1, Filter: dispute.Filter{Identity: asset.Identity{Canonical: "a"}}}, []string{"content"}},
		"an asset with NUL":          {dispute.ListRequest{Limit: 1, Filter: dispute.Filter{Identity: url("\x00")}}, []string{"content"}},
		"an address that is no text": {dispute.ListRequest{Limit: 1, Filter: dispute.Filter{Email: "\xff"}}, []string{"email"}},
		"a period that ends early":   {dispute.ListRequest{Limit: 1, Filter: dispute.Filter{Created: asset.Period{Since: noon, Before: noon}}}, []string{"startDate"}},
		"everything wrong is told": {
			dispute.ListRequest{Filter: dispute.Filter{States: []dispute.State{""}, Email: "\x00"}},
			[]string{"limit", "state", "email"},
		},
	} {
		require.Equal(t, c.fields, fieldsOf(t, c.req.Validate()), reason)
	}
}

// fieldsOf returns the fields that an input error names, in its order.
func fieldsOf(t *testing.T, err error) []string {
	t.Helper()
	if err == nil {
		return nil
	}
	var input *asset.InputError
	require.ErrorAs(t, err, &input)
	var fields []string
	for _, issue := range input.Issues {
		fields = append(fields, issue.Field)
	}
	return fields
}

// Each order is the other one turned round, and a cursor parts a listing in what
// comes up to its dispute and what comes behind.
func TestOrderOfAListing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		disputes := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) dispute.Dispute {
			return dispute.Dispute{
				ID:        rapid.Int64Range(1, 9).Draw(t, "id"),
				CreatedAt: noon.Add(time.Duration(rapid.IntRange(0, 3).Draw(t, "at")) * time.Millisecond),
			}
		}), 1, 9, func(d dispute.Dispute) int64 { return d.ID }).Draw(t, "disputes")
		newest, oldest := dispute.Listing{}, dispute.Listing{OldestFirst: true}
		slices.SortFunc(disputes, newest.Compare)
		require.True(t, slices.IsSortedFunc(disputes, func(a, b dispute.Dispute) int { return b.CreatedAt.Compare(a.CreatedAt) }))
		turned := slices.Clone(disputes)
		slices.SortFunc(turned, oldest.Compare)
		slices.Reverse(turned)
		require.Equal(t, disputes, turned)

		at := rapid.IntRange(0, len(disputes)-1).Draw(t, "cursor")
		newest.Cursor, oldest.Cursor = disputes[at].Cursor(), disputes[at].Cursor()
		for i, d := range disputes {
			require.Equal(t, i > at, newest.Match(d, asset.Identity{}, ""), "behind, newest first")
			require.Equal(t, i < at, oldest.Match(d, asset.Identity{}, ""), "behind, oldest first")
		}
	})
}
