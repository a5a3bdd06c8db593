package classify_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/classify/classifytest"
)

func TestHost(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		kind            asset.Type
		canonical, host string
	}{
		"a URL with all parts":               {asset.TypeURL, "https://example.com:8443/a:b@c?d=https://e.com#/f", "example.com"},
		"a URL with a host of one label":     {asset.TypeURL, "https://localhost/", ""},
		"its canonical form":                 {asset.TypeURL, "https://localhost", "localhost"},
		"a PAGE with port, path and query":   {asset.TypePage, "www.example.com:80/a?b", "www.example.com"},
		"a MEDIUM name with its own host":    {asset.TypeMedium, "netflixtechblog.medium.com", "netflixtechblog.medium.com"},
		"a MEDIUM user":                      {asset.TypeMedium, "medium.com/@ev", ""},
		"a handle":                           {asset.TypeTwitter, "x.com/jack", ""},
		"an ADDRESS":                         {asset.TypeAddress, "0xd8da6bf26964af9d7eed9e03e53415d37aa96045", ""},
		"an EMAIL":                           {asset.TypeEmail, "bob@example.com", ""},
		"the zero identity":                  {"", "", ""},
		"a URL in another letter case":       {asset.TypeURL, "https://Example.com", ""},
		"a URL with user information":        {asset.TypeURL, "https://bob@example.com", ""},
		"a URL without a host":               {asset.TypeURL, "https://", ""},
		"a platform identifier as a URL":     {asset.TypeURL, "https://x.com/jack", ""},
		"a URL that is not UTF-8":            {asset.TypeURL, "https://\xff", ""},
		"a PAGE with a scheme":               {asset.TypePage, "https://example.com", ""},
		"a PAGE under no public suffix":      {asset.TypePage, "example.invalid", ""},
		"a MEDIUM name on another host":      {asset.TypeMedium, "example.com", ""},
		"a type that Classify never returns": {asset.Type("IPFS"), "https://example.com", ""},
		"an unclosed bracket":                {asset.TypePage, "[::1", ""},
		"a canonical form beyond the limit":  {asset.TypeURL, "https://example.com/" + strings.Repeat("a", classify.MaxContent), ""},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			host, ok := classify.Host(asset.Identity{Type: c.kind, Canonical: c.canonical})
			require.Equal(t, c.host, host)
			require.Equal(t, c.host != "", ok)
		})
	}
}

func TestSplitHost(t *testing.T) {
	t.Parallel()
	for canonical, want := range map[asset.Identity][3]string{
		{Type: asset.TypeURL, Canonical: "https://[2001:db8::1]:8443/a:b?c@d#/e"}:                      {"[2001:db8::1]", "8443", "/a:b?c@d#/e"},
		{Type: asset.TypePage, Canonical: "example.com/https://b.example"}:                             {"example.com", "", "/https://b.example"},
		{Type: asset.TypeGitHub, Canonical: "github.com/owner"}:                                        {"github.com", "", "/owner"},
		{Type: asset.TypeEmail, Canonical: "bob@mail.example.com"}:                                     {"mail.example.com", "", ""},
		{Type: asset.TypeAddress, Canonical: "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a"}: {},
	} {
		host, port, rest := classify.SplitHost(canonical)
		require.Equal(t, want, [3]string{host, port, rest}, "%v", canonical)
	}
}

// hostInLink matches the host in a canonical form by its shape.
var hostInLink = regexp.MustCompile(`^(?:https?://)?(\[[0-9a-f:]+\]|[^/?#:@\[\]]+)(?::[0-9]+)?(?:[/?#].*)?$`)

// requireHost requires that Host returns a host for every URL and PAGE, and otherwise
// only for a MEDIUM name with its own host.
func requireHost(t require.TestingT, got classify.Result) {
	host, ok := classify.Host(got.Identity)
	switch {
	case got.Type == asset.TypeURL, got.Type == asset.TypePage:
	case got.Type == asset.TypeMedium && strings.HasSuffix(got.Canonical, ".medium.com"):
	default:
		require.False(t, ok, "%v has no host", got)
		require.Empty(t, host)
		return
	}
	require.True(t, ok, "%v", got)
	parts := hostInLink.FindStringSubmatch(got.Canonical)
	require.NotNil(t, parts, "%v", got)
	require.Equal(t, parts[1], host, "%v", got)
}

func TestHost_golden(t *testing.T) {
	t.Parallel()
	hosts := 0
	for _, rows := range goldenRows(t) {
		for _, row := range rows {
			if row.Reason == "" {
				requireHost(t, row.result())
				hosts++
			}
		}
	}
	require.NotZero(t, hosts)
}

func TestHost_law(t *testing.T) {
	t.Parallel()
	for _, of := range allContents(t) {
		t.Run(of.name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				if got, err := classify.Classify(of.draw.Draw(t, "content")); err == nil {
					requireHost(t, got)
				}
			})
		})
	}
}

// TestHost_anyIdentity draws identities that Classify may never return.
func TestHost_anyIdentity(t *testing.T) {
	t.Parallel()
	kinds := rapid.SampledFrom([]asset.Type{asset.TypeURL, asset.TypePage, asset.TypeMedium, asset.TypeEmail, "", "PHISH"})
	forms := rapid.OneOf(pieces(), classifytest.Hostile(), rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
	rapid.Check(t, func(t *rapid.T) {
		identity := asset.Identity{Type: kinds.Draw(t, "type"), Canonical: forms.Draw(t, "canonical form")}
		host, ok := classify.Host(identity)
		got, err := classify.Classify(identity.Canonical)
		require.Equal(t, ok, host != "")
		if ok {
			require.NoError(t, err)
			require.Equal(t, got.Identity, identity)
		}
	})
}
