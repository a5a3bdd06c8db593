package classify_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/classify"
)

type rewriteTest struct {
	name    string
	content string
	want    []classify.Rewrite
}

func rewriteTests() []rewriteTest {
	as := func(rewrites ...classify.Rewrite) []classify.Rewrite { return rewrites }
	return []rewriteTest{
		{"outer white space", " example.com\n", as(classify.RewriteWhiteSpace)},

		{"a scheme in upper case", "HTTPS://example.com", as(classify.RewriteSchemeCase)},
		{"one slash", "https:/example.com", as(classify.RewriteSlashes)},
		{"three slashes", "https:///example.com", as(classify.RewriteSlashes)},
		{"backslashes after the scheme", "https:\\\\example.com", as(classify.RewriteBackslashes)},
		{"backslashes in the path", "https://example.com\\a", as(classify.RewriteBackslashes)},
		{"a backslash in the query stays", "https://example.com/?\\", nil},
		{"a user name", "https://bank.com@example.com", as(classify.RewriteUserInfo)},
		{"a colon before the user name's @", "https://:@example.com", as(classify.RewriteUserInfo)},

		{"a trailing dot", "https://example.com.", as(classify.RewriteTrailingDot)},
		{"a trailing dot of another script", "https://example.com\u3002", as(classify.RewriteTrailingDot, classify.RewriteHostMapped)},
		{"a host in upper case", "https://EXAMPLE.com", as(classify.RewriteHostCase)},
		{"punycode in upper case", "https://XN--bcher-kva.de", as(classify.RewriteHostCase)},
		{"another script", "b\u00fccher.de", as(classify.RewritePunycode)},
		{"another script in upper case", "b\u00dccher.de", as(classify.RewritePunycode, classify.RewriteHostMapped)},
		{"another script beside punycode", "b\u00fccher.xn--p1ai", as(classify.RewritePunycode)},
		{"full-width letters", "https://\uff45xample.com", as(classify.RewriteHostMapped)},
		{"a dot of another script", "https://example\u3002com", as(classify.RewriteHostMapped)},
		{"a host percent-encoded", "https://ex%61mple.com", as(classify.RewritePercentDecoded)},
		{"a host percent-encoded in upper case", "https://ex%41mple.com", as(classify.RewritePercentDecoded, classify.RewriteHostCase)},
		{"an IPv4 address in hexadecimal", "http://0x7f.1", as(classify.RewriteIPNotation)},
		{"an IPv4 address with a trailing dot", "http://127.0.0.1.", as(classify.RewriteTrailingDot)},
		{"an IPv6 address written long", "http://[0:0::1]", as(classify.RewriteIPNotation)},

		{"the port of https", "https://example.com:443", as(classify.RewriteDefaultPort)},
		{"the port of http", "http://example.com:80", as(classify.RewriteDefaultPort)},
		{"a colon without port", "example.com:", as(classify.RewriteDefaultPort)},
		{"a port with zeros", "example.com:0081", as(classify.RewritePortZeros)},
		{"another port", "example.com:81", nil},

		{"dot segments", "https://example.com/a/../b/./c", as(classify.RewriteDotSegments)},
		{"dot segments percent-encoded", "https://example.com/a/%2E%2e/b", as(classify.RewriteDotSegments)},
		{"a lone slash", "https://example.com/", as(classify.RewriteSlashDropped)},
		{"dot segments that leave an empty path", "https://example.com/a/..", as(classify.RewriteDotSegments, classify.RewriteSlashDropped)},
		{"a query without slash", "https://example.com?q", as(classify.RewriteSlashAdded)},
		{"a route without slash", "https://example.com#/q", as(classify.RewriteSlashAdded)},
		{"a path in another script", "https://example.com/\u00fc", as(classify.RewritePercentEncoded)},
		{"a query in another script", "https://example.com/?\u00fc", as(classify.RewritePercentEncoded)},
		{"a route in another script", "https://example.com/#/\u00fc", as(classify.RewritePercentEncoded)},
		{"a fragment in another script", "https://example.com/a#\u00fc", as(classify.RewriteFragmentDropped)},
		{"percent-encoding in lower case", "https://example.com/%c3%bc", as(classify.RewriteEscapeCase)},
		{"percent-encoding in lower case in a query", "https://example.com/?%c3%bc", as(classify.RewriteEscapeCase)},
		{"percent-encoding in lower case in a route", "https://example.com/#/%c3%bc", as(classify.RewriteEscapeCase)},
		{"percent-encoding in upper case", "https://example.com/%C3%BC?%C3%BC#/%C3%BC", nil},
		{"an unreserved character percent-encoded", "https://example.com/l%6Fgin", as(classify.RewritePercentDecoded)},
		{"an unreserved character percent-encoded in a query", "https://example.com/?l%6Fgin", as(classify.RewritePercentDecoded)},
		{"an unreserved character percent-encoded in a route", "https://example.com/#/l%6Fgin", as(classify.RewritePercentDecoded)},
		{"a lone percent sign", "https://example.com/100%", as(classify.RewritePercentEncoded)},
		{"percent-encoding in a dropped segment", "https://example.com/%c3%bc%6f%/../a", as(classify.RewriteDotSegments)},
		{"percent-encoding in a dropped fragment", "https://example.com/a#%c3%bc%6f%", as(classify.RewriteFragmentDropped)},
		{"an empty fragment", "https://example.com/a#", as(classify.RewriteFragmentDropped)},
		{"an empty query", "https://example.com/a?", as(classify.RewriteEmptyQueryDropped)},
		{"an empty query without a path", "https://example.com?", as(classify.RewriteEmptyQueryDropped)},
		{"an empty query before a route", "example.com/?#/a", as(classify.RewriteEmptyQueryDropped)},
		{"an empty query at a platform", "x.com/jack?", as(classify.RewriteQueryDropped)},

		{"www. before a platform's host", "www.github.com/owner", as(classify.RewriteHostPrefix)},
		{"www. before any other host", "www.example.com/owner", nil},
		{"another host of the platform", "twitter.com/jack", as(classify.RewritePlatformHost)},
		{"m. before another host of the platform", "m.twitter.com/jack", as(classify.RewriteHostPrefix, classify.RewritePlatformHost)},
		{"a country before the host", "de.linkedin.com/in/ada", as(classify.RewritePlatformHost)},
		{"a link with a scheme", "HTTPS://x.com/jack", as(classify.RewriteSchemeDropped)},
		{"a name as a host", "durov.t.me", as(classify.RewritePlatformHost, classify.RewritePlatformPath)},
		{"a publication as a host", "blog2.medium.com", nil},
		{"a word before an invitation", "discord.gg/invite/Code2", as(classify.RewritePlatformPath)},
		{"another host and a word before an invitation", "discord.com/invite/Code2", as(classify.RewritePlatformHost, classify.RewritePlatformPath)},
		{"an invitation in the old notation", "t.me/joinchat/AbCdEfGhIjKl", as(classify.RewritePlatformPath)},
		{"a preview", "t.me/s/durov", as(classify.RewritePlatformPath)},
		{"a server", "discord.com/channels/12345678901234567", nil},
		{"a repository's ending", "github.com/owner/repo.GIT", as(classify.RewriteGitDropped)},
		{"a repository in upper case", "github.com/Owner/Repo", as(classify.RewriteNameCase)},
		{"a query at a platform", "x.com/jack?lang=en#top", as(classify.RewriteQueryDropped, classify.RewriteFragmentDropped)},
		{"a trailing slash at a platform", "x.com/jack/", as(classify.RewriteSlashDropped)},
		{"an @ before a name", "x.com/@jack", as(classify.RewriteAtDropped)},
		{"an @ that belongs to the name", "tiktok.com/@name", nil},
		{"an @ and a letter percent-encoded", "tiktok.com/%40n%61me", as(classify.RewritePercentDecoded)},
		{"an @ percent-encoded", "tiktok.com/%40name", as(classify.RewritePercentDecoded)},
		{"a name in another script", "youtube.com/@\u00fcber", as(classify.RewritePercentEncoded)},
		{"a name percent-encoded in lower case", "youtube.com/@%c3%bcber", as(classify.RewriteEscapeCase)},
		{"a name with combining marks", "youtube.com/@u%CC%88ber", as(classify.RewriteNameComposed)},
		{"a name in another script in upper case", "linkedin.com/in/%C3%9Cber", as(classify.RewriteNameCase)},
		{"a case-sensitive channel ID", "youtube.com/channel/UCLA_DiR1FfKNvjuUpBHmylQ", nil},

		{"a handle with @", "@jack", as(classify.RewritePlatformHost, classify.RewriteAtDropped)},
		{"a handle in upper case", "Jack", as(classify.RewritePlatformHost, classify.RewriteNameCase)},

		{"a local part in upper case", "Bob@example.com", as(classify.RewriteNameCase)},
		{"a mail domain in upper case", "bob@EXAMPLE.com", as(classify.RewriteHostCase)},
		{"a mail domain in another script", "bob@b\u00fccher.de", as(classify.RewritePunycode)},
		{"a mail domain with a trailing dot", "bob@example.com.", as(classify.RewriteTrailingDot)},

		{"hexadecimal digits in upper case", "0XD8DA6BF26964AF9D7EED9E03E53415D37AA96045", as(classify.RewriteAddressCase)},
		{"bech32 in upper case", "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", as(classify.RewriteAddressCase)},
		{"base58", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", nil},
		{"cashaddr without its prefix", "qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a", as(classify.RewriteAddressPrefix)},
		{
			"cashaddr without its prefix in upper case", "QPM2QSZNHKS23Z7629MMS6S4CWEF74VCWVY22GDX6A",
			as(classify.RewriteAddressCase, classify.RewriteAddressPrefix),
		},
		{"TON's user-friendly format", "EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF", as(classify.RewriteAddressForm)},
	}
}

func TestExplain_rewrites(t *testing.T) {
	t.Parallel()
	for _, test := range rewriteTests() {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := classify.Explain(test.content)
			require.Nil(t, got.Err)
			require.ElementsMatch(t, test.want, got.Rewrites)
		})
	}
}

func TestRewrites(t *testing.T) {
	t.Parallel()
	seen := map[classify.Rewrite]bool{}
	for _, test := range rewriteTests() {
		for _, rewrite := range test.want {
			require.Contains(t, classify.Rewrites(), rewrite)
			seen[rewrite] = true
		}
	}
	require.Len(t, seen, len(classify.Rewrites()))
}
