package sqlstore_test

import (
	"encoding/hex"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/classify/classifytest"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

// Hashes of sites are stored, so none of these may ever change.
func TestSite(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		why       string
		kind      asset.Type
		canonical string
		want      string
	}{
		{"a domain", asset.TypePage, "example.com", "example.com"},
		{"a subdomain", asset.TypeURL, "https://a.b.example.com/x/y?q=1", "example.com"},
		{"a suffix of two labels", asset.TypePage, "example.co.uk", "co.uk"},
		{"a private suffix", asset.TypePage, "a.name.github.io/x", "github.io"},
		{"a port", asset.TypeURL, "http://a.example.com:8080?q", "example.com"},
		{"a route", asset.TypeURL, "https://a.example.com#/x.y.z", "example.com"},
		{"one label", asset.TypeURL, "https://localhost:80/x", "localhost"},
		{"an IPv4 address", asset.TypeURL, "http://192.0.2.1:8080/x", "2.1"},
		{"an IPv6 address", asset.TypeURL, "http://[2001:db8::1]:8080/x", "[2001:db8::1]"},
		{"an IPv6 address without a port", asset.TypePage, "[2001:db8::1]", "[2001:db8::1]"},
		{"a path that looks like a URL", asset.TypePage, "a.example.com/https://b.example.org", "example.com"},
		{"a platform identifier", asset.TypeGitHub, "github.com/owner/repository", "github.com"},
		{"a platform identifier with a host of its own", asset.TypeMedium, "name.medium.com", "medium.com"},
		{"an e-mail address", asset.TypeEmail, "ada@mail.example.com", "example.com"},
		{"an address", asset.TypeAddress, "0x52908400098527886e0f7030069857d2e4169ee7", "0x52908400098527886e0f7030069857d2e4169ee7"},
		{"an address with a prefix", asset.TypeAddress, "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a", "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a"},
		{"an address with a tag", asset.TypeAddress, "X7W1bb35cPBfGjU4Z6axcr3rH3ScK4kr2NvE5SGVazS7QQK", "rppwLQ6LAascHbiS8TG9uu72o3S4dsSfKp"},
		{"nothing", "", "", ""},
		{"a URL without a host", asset.TypeURL, "://", ""},
		{"a host that begins with a dot", asset.TypePage, ".com", ".com"},
	} {
		t.Run(test.why, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.want, sqlstore.Site(asset.Identity{Type: test.kind, Canonical: test.canonical}))
		})
	}
}

// The hash of an identity is stored, so it must never change either.
func TestIdentityHash_Stored(t *testing.T) {
	t.Parallel()
	require.Equal(t, "431ceb26b82c050c39b102e459e9c818e3fbbe2cdb1867ac", hex.EncodeToString(sqlstore.IdentityHash(asset.Identity{Type: asset.TypeURL, Canonical: "https://a.example.com/x"})))
}

var platformSites = []string{
	"x.com", "twitter.com", "instagram.com", "instagr.am", "t.me", "telegram.me", "telegram.dog", "discord.com", "discordapp.com", "discord.gg",
	"github.com", "githubusercontent.com", "youtube.com", "youtu.be", "youtube-nocookie.com",
}

func TestSite_Covers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		result, err := classify.Classify(classifytest.Content().Draw(t, "content").Content)
		if err != nil {
			return
		}
		for _, cover := range classify.Covering(result.Identity) {
			of, site := sqlstore.Site(result.Identity), sqlstore.Site(cover.Identity)
			host, _, _ := classify.SplitHost(cover.Identity)
			_, notIP := netip.ParseAddr(strings.Trim(host, "[]"))
			if of != site && notIP != nil && host != "ipfs.io" {
				// Only platforms, IP addresses of two versions and IPFS contents have several sites.
				require.Contains(t, platformSites, of, "%v", cover)
				require.Contains(t, platformSites, site, "%v", cover)
			}
		}
	})
}
