package asset_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
)

func TestService_List(t *testing.T) {
	t.Parallel()
	f := newFixture()
	f.set(t, "a", asset.StatusBlocked)
	f.set(t, "b", asset.StatusUnknown)
	f.set(t, "c", asset.StatusBlocked)
	listed := func(id int64, name string, status asset.Status) asset.Listed {
		at := second(int(id))
		known := asset.Known{Asset: asset.Asset{ID: id, Identity: url(name), Status: status}, Basis: operators(status, at)}
		return asset.Listed{Known: known, UpdatedAt: at}
	}
	a, b, c := listed(1, "a", asset.StatusBlocked), listed(2, "b", asset.StatusUnknown), listed(3, "c", asset.StatusBlocked)
	for reason, test := range map[string]struct {
		req  asset.ListRequest
		want asset.ListPage
	}{
		"everything":             {asset.ListRequest{}, asset.ListPage{Assets: []asset.Listed{a, b, c}}},
		"the first page":         {asset.ListRequest{Limit: 2}, asset.ListPage{Assets: []asset.Listed{a, b}, NextCursor: 2}},
		"the last page":          {asset.ListRequest{Limit: 2, Cursor: 2}, asset.ListPage{Assets: []asset.Listed{c}}},
		"the end":                {asset.ListRequest{Cursor: 3}, asset.ListPage{}},
		"a status":               {asset.ListRequest{Filter: asset.Filter{Status: asset.StatusBlocked}}, asset.ListPage{Assets: []asset.Listed{a, c}}},
		"a prefix and a time":    {asset.ListRequest{Filter: asset.Filter{Prefix: "https://", ChangedSince: second(3)}}, asset.ListPage{Assets: []asset.Listed{c}}},
		"a type that no one has": {asset.ListRequest{Filter: asset.Filter{Type: asset.TypeEmail}}, asset.ListPage{}},
	} {
		got, err := f.List(t.Context(), test.req)
		require.NoError(t, err, reason)
		require.Equal(t, test.want, got, reason)
	}
}

func TestListRequest_Validate(t *testing.T) {
	t.Parallel()
	f := newFixture()
	for reason, c := range map[string]struct {
		req   asset.ListRequest
		field string
	}{
		"negative limit":       {asset.ListRequest{Limit: -1}, "limit"},
		"limit above 10,000":   {asset.ListRequest{Limit: 10_001}, "limit"},
		"negative cursor":      {asset.ListRequest{Cursor: -1}, "cursor"},
		"cursor above 2^53-1":  {asset.ListRequest{Cursor: 1 << 53}, "cursor"},
		"unknown status":       {asset.ListRequest{Filter: asset.Filter{Status: "blocked"}}, "status"},
		"unknown type":         {asset.ListRequest{Filter: asset.Filter{Type: "url"}}, "type"},
		"prefix with NUL":      {asset.ListRequest{Filter: asset.Filter{Prefix: "a\x00"}}, "prefix"},
		"prefix is not UTF-8":  {asset.ListRequest{Filter: asset.Filter{Prefix: "\xff"}}, "prefix"},
		"limit of all assets":  {asset.ListRequest{Limit: 1 << 40}, "limit"},
		"cursor of the future": {asset.ListRequest{Cursor: asset.MaxID + 1}, "cursor"},
	} {
		var input *asset.InputError
		_, err := f.List(t.Context(), c.req)
		require.ErrorAs(t, err, &input, reason)
		require.Len(t, input.Issues, 1, reason)
		require.Equal(t, c.field, input.Issues[0].Field, reason)
	}
	for _, err := range f.All(t.Context(), asset.Filter{Status: "blocked"}, 0) {
		require.ErrorIs(t, err, asset.ErrInvalid)
	}
}

func TestService_All(t *testing.T) {
	t.Parallel()
	f := newFixture()
	items := make([]asset.StatusItem, 999)
	for i := range items {
		items[i] = asset.StatusItem{Identity: url(strings.Repeat("x", i)), Status: asset.StatusBlocked}
	}
	_, err := f.SetStatuses(t.Context(), asset.SetStatusesRequest{Items: items})
	require.NoError(t, err)
	f.set(t, "a", asset.StatusAllowed)
	f.set(t, "b", asset.StatusBlocked)
	list := func(filter asset.Filter, after int64, most int) []int64 {
		var ids []int64
		for one, err := range f.All(t.Context(), filter, after) {
			require.NoError(t, err)
			if ids = append(ids, one.ID); len(ids) == most {
				break
			}
		}
		return ids
	}
	require.Len(t, list(asset.Filter{}, 0, -1), 1001)
	require.Equal(t, []int64{1000, 1001}, list(asset.Filter{}, 999, -1))
	require.Equal(t, []int64{999, 1001}, list(asset.Filter{Status: asset.StatusBlocked}, 998, -1))
	require.Equal(t, []int64{1, 2}, list(asset.Filter{}, 0, 2), "the loop may end early")
}

func TestFilter_Match_NoChange(t *testing.T) {
	t.Parallel()
	since := asset.Filter{ChangedSince: time.Time{}.Add(-time.Hour)}
	require.False(t, since.Match(asset.Listed{}), "an asset without a change matches no time")
	require.True(t, asset.Filter{}.Match(asset.Listed{}))
}
