package phishlist_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
)

func TestList_Name(t *testing.T) {
	t.Parallel()
	require.Equal(t, "eth-phishing-detect", load(t, oneList).Name())
}

func TestList_Status(t *testing.T) {
	t.Parallel()
	list := load(t, `{"tolerance": 1, "fuzzylist": ["wallet.io"], "whitelist": ["good.bad.com"], "blacklist": ["bad.com", "evil.medium.com", "x.com", "[::1]"]}`)
	for reason, c := range map[string]struct {
		kind      asset.Type
		canonical string
		want      asset.Status
	}{
		"a URL on a blocked host":              {asset.TypeURL, "https://login.bad.com:8443/a", asset.StatusBlocked},
		"a PAGE on a blocked host":             {asset.TypePage, "bad.com", asset.StatusBlocked},
		"a URL that resembles a target":        {asset.TypeURL, "http://wallets.com", asset.StatusBlocked},
		"a host on the allowlist":              {asset.TypePage, "good.bad.com/path", asset.StatusAllowed},
		"an unknown host":                      {asset.TypePage, "example.com", asset.StatusUnknown},
		"a platform account with its own host": {asset.TypeMedium, "evil.medium.com", asset.StatusBlocked},
		"an IPv6 address":                      {asset.TypeURL, "https://[::1]", asset.StatusBlocked},
		"a handle on a listed host":            {asset.TypeTwitter, "x.com/jack", asset.StatusUnknown},
		"an e-mail address at a listed host":   {asset.TypeEmail, "bob@bad.com", asset.StatusUnknown},
		"an invalid type":                      {"", "bad.com", asset.StatusUnknown},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			got, err := list.Status(t.Context(), asset.Identity{Type: c.kind, Canonical: c.canonical})
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}
