package allowlist_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
)

func TestFilter_Match(t *testing.T) {
	t.Parallel()
	entry := allowlist.Entry{
		Asset:   asset.Asset{Identity: asset.Identity{Type: asset.TypePage, Canonical: "a.example"}, Status: asset.StatusAllowed},
		GroupID: 10,
	}
	for reason, c := range map[string]struct {
		filter allowlist.Filter
		want   bool
	}{
		"no filter":       {allowlist.Filter{}, true},
		"everything":      {allowlist.Filter{Status: asset.StatusAllowed, GroupID: 10, Prefix: "a."}, true},
		"another status":  {allowlist.Filter{Status: asset.StatusBlocked}, false},
		"another group":   {allowlist.Filter{GroupID: 20}, false},
		"another prefix":  {allowlist.Filter{Prefix: "example"}, false},
		"one that is off": {allowlist.Filter{Status: asset.StatusAllowed, GroupID: 10, Prefix: "A."}, false},
	} {
		require.Equal(t, c.want, c.filter.Match(entry), reason)
	}
}

func TestService_List_Filter(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{})
	f.add(t, acme, allowlist.Item{Content: "https://a.example", GroupID: 10}, allowlist.Item{Content: "https://b.example"})
	page, err := f.List(t.Context(), allowlist.ListRequest{OrganizationID: acme, Filter: allowlist.Filter{GroupID: 10}})
	require.NoError(t, err)
	require.Len(t, page.Entries, 1)
	require.Zero(t, page.NextCursor)

	_, err = f.List(t.Context(), allowlist.ListRequest{OrganizationID: acme, Filter: allowlist.Filter{Status: "?", GroupID: -1, Prefix: "\x00"}})
	require.EqualError(t, err, "invalid input: status: must be UNKNOWN, ALLOWED or BLOCKED; groupId: must be from 1 to 2^53-1; prefix: must be valid UTF-8 without NUL")
}
