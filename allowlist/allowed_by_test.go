package allowlist_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/test/accounttest"
)

func TestAllowedByRequest_Validate(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		req  allowlist.AllowedByRequest
		want string
	}{
		"no asset":          {allowlist.AllowedByRequest{}, "assetId: must be from 1 to 2^53-1"},
		"a negative cursor": {allowlist.AllowedByRequest{AssetID: 1, Cursor: -1}, "cursor: must be the cursor of a page"},
		"a negative limit":  {allowlist.AllowedByRequest{AssetID: 1, Limit: -1}, "limit: must be from 1 to 1000"},
		"too large a limit": {allowlist.AllowedByRequest{AssetID: 1, Limit: 1001}, "limit: must be from 1 to 1000"},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			require.EqualError(t, c.req.Validate(), "invalid input: "+c.want)
			_, err := newFixture(t, allowlist.Options{}).AllowedBy(t.Context(), c.req)
			require.Equal(t, c.req.Validate(), err, "AllowedBy validates")
			require.ErrorIs(t, err, asset.ErrInvalid)
		})
	}
	for _, limit := range []int{0, 1, allowlist.MaxLimit} {
		require.NoError(t, allowlist.AllowedByRequest{AssetID: 1, Limit: limit}.Validate(), "a limit of %d", limit)
	}
}

func TestService_AllowedBy(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{})
	for _, organization := range []int64{acme, acme + 1, acme + 2} {
		accounttest.Organizations(t, f.store, organization)
		f.add(t, organization, allowlist.Item{Content: "https://a.example"})
	}
	f.add(t, acme, allowlist.Item{Content: "https://b.example"})
	shared := f.entries(t, acme)[0]

	first := allowlist.AllowedByRequest{AssetID: shared.Asset.ID, Limit: 2}
	page, err := f.AllowedBy(t.Context(), first)
	require.NoError(t, err)
	require.Equal(t, allowlist.AllowedByPage{
		Organizations: []allowlist.AllowingOrganization{
			{OrganizationID: acme, AddedAt: shared.AddedAt},
			{OrganizationID: acme + 1, AddedAt: shared.AddedAt},
		},
		NextCursor: acme + 1,
	}, page)
	second := first
	second.Cursor = page.NextCursor
	page, err = f.AllowedBy(t.Context(), second)
	require.NoError(t, err)
	require.Equal(t, allowlist.AllowedByPage{
		Organizations: []allowlist.AllowingOrganization{{OrganizationID: acme + 2, AddedAt: shared.AddedAt}},
	}, page)
}

func TestService_AllowedBy_DefaultLimit(t *testing.T) {
	t.Parallel()
	f := newFixture(t, allowlist.Options{})
	for organization := range int64(allowlist.DefaultLimit + 1) {
		accounttest.Organizations(t, f.store, organization+1)
		f.add(t, organization+1, allowlist.Item{Content: "https://a.example"})
	}
	page, err := f.AllowedBy(t.Context(), allowlist.AllowedByRequest{AssetID: f.entries(t, acme)[0].Asset.ID})
	require.NoError(t, err)
	require.Len(t, page.Organizations, allowlist.DefaultLimit)
	require.EqualValues(t, allowlist.DefaultLimit, page.NextCursor)
}
