package asset_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
)

func TestPublicSuffix(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		kind      asset.Type
		canonical string
		want      string
	}{
		"a top-level domain":                   {asset.TypeURL, "https://com", "com"},
		"a top-level domain with http":         {asset.TypeURL, "http://com", "com"},
		"two labels of the ICANN section":      {asset.TypeURL, "https://co.uk", "co.uk"},
		"the private section":                  {asset.TypePage, "github.io", "github.io"},
		"a URL of the private section":         {asset.TypeURL, "https://github.io", "github.io"},
		"a label for a wildcard":               {asset.TypeURL, "https://test.ck", "test.ck"},
		"a single label that the list lacks":   {asset.TypeURL, "https://newtld", "newtld"},
		"a registered domain":                  {asset.TypePage, "example.com", ""},
		"a domain under a private suffix":      {asset.TypePage, "name.github.io", ""},
		"an exception to a wildcard":           {asset.TypePage, "www.ck", ""},
		"a private wildcard":                   {asset.TypePage, "eth.limo", "eth.limo"},
		"a site under a private wildcard":      {asset.TypePage, "name.eth.limo", ""},
		"a path on a suffix":                   {asset.TypeURL, "https://github.io/x", ""},
		"a query of a suffix":                  {asset.TypeURL, "https://com/?q", ""},
		"a port of a suffix":                   {asset.TypeURL, "https://com:8443", ""},
		"an IPv4 address":                      {asset.TypePage, "192.0.2.1", ""},
		"an IPv6 address":                      {asset.TypePage, "[2001:db8::1]", ""},
		"an e-mail address":                    {asset.TypeEmail, "a@github.io", ""},
		"a handle":                             {asset.TypeTwitter, "x.com/com", ""},
		"a blockchain address":                 {asset.TypeAddress, "com", ""},
		"a URL that is not a link":             {asset.TypeURL, "com", ""},
		"a URL without a host":                 {asset.TypeURL, "https://", ""},
		"an identity that is not an asset's":   {"", "com", ""},
		"a page of nothing":                    {asset.TypePage, "", ""},
		"a suffix that is a part of its label": {asset.TypePage, "xgithub.io", ""},
	} {
		got, is := asset.PublicSuffix(asset.Identity{Type: c.kind, Canonical: c.canonical})
		require.Equal(t, c.want, got, reason)
		require.Equal(t, c.want != "", is, reason)
	}
}

func TestService_SetStatus_PublicSuffix(t *testing.T) {
	t.Parallel()
	f := newFixture()
	req := asset.SetStatusRequest{Identity: asset.Identity{Type: asset.TypeURL, Canonical: "https://com"}, Status: asset.StatusBlocked}
	_, err := f.SetStatus(t.Context(), req)
	require.ErrorIs(t, err, asset.ErrProtected)
	require.EqualError(t, err, "invalid input: confirmProtected: must be true to block it: com is a public suffix")
	_, err = f.Get(t.Context(), req.Identity)
	require.ErrorIs(t, err, asset.ErrNotFound, "nothing was stored")

	for _, status := range []asset.Status{asset.StatusAllowed, asset.StatusUnknown} {
		req.Status = status
		_, err = f.SetStatus(t.Context(), req)
		require.NoError(t, err, "only BLOCKED takes a confirmation")
	}
	req.Status, req.ConfirmProtected = asset.StatusBlocked, true
	got, err := f.SetStatus(t.Context(), req)
	require.NoError(t, err)
	require.Equal(t, asset.StatusBlocked, got.Status)
}

func TestService_SetStatuses_PublicSuffix(t *testing.T) {
	t.Parallel()
	for _, dry := range []bool{true, false} {
		f := newFixture()
		page := func(host string) asset.Identity { return asset.Identity{Type: asset.TypePage, Canonical: host} }
		req := asset.SetStatusesRequest{DryRun: dry, Items: []asset.StatusItem{
			{Identity: page("github.io"), Status: asset.StatusBlocked},
			{Identity: page("evil.github.io"), Status: asset.StatusBlocked},
			{Identity: page("pages.dev"), Status: asset.StatusAllowed},
		}}
		results, err := f.SetStatuses(t.Context(), req)
		require.NoError(t, err)
		require.ErrorIs(t, results[0].Err, asset.ErrProtected)
		require.NoError(t, results[1].Err)
		require.NoError(t, results[2].Err)

		req.ConfirmProtected = true
		results, err = f.SetStatuses(t.Context(), req)
		require.NoError(t, err)
		require.NoError(t, results[0].Err)
		require.Equal(t, asset.StatusBlocked, results[0].Asset.Status)
	}
}
