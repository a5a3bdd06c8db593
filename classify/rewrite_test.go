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

		{"a scheme in upper case", "HTTPS://example.com", as(classify.RewriteLetterCase)},
		{"one slash", "https:/example.com", as(classify.RewriteSlashes)},
		{"backslashes after the scheme", "https:\\\\example.com", as(classify.RewriteSlashes)},
		{"backslashes in the path", "https://example.com\\a", as(classify.RewriteSlashes)},
		{"a backslash in the query stays", "https://example.com/?\\", nil},
		{"a user name", "https://bank.com@example.com", as(classify.RewriteUserInfo)},

		{"a trailing dot", "https://example.com.", as(classify.RewriteTrailingDot)},
		{"a trailing dot of another script", "https://example.com\u3002", as(classify.RewriteTrailingDot, classify.RewriteUnicode)},
		{"a host in upper case", "https://EXAMPLE.com", as(classify.RewriteLetterCase)},
		{"another script", "b\u00fccher.de", as(classify.RewriteUnicode)},
		{"full-width letters", "https://\uff45xample.com", as(classify.RewriteUnicode)},
		{"a host percent-encoded in upper case", "https://ex%41mple.com", as(classify.RewritePercentEncoding, classify.RewriteLetterCase)},
		{"an IPv4 address in hexadecimal", "http://0x7f.1", as(classify.RewriteIPNotation)},
		{"an IPv4 address with a trailing dot", "http://127.0.0.1.", as(classify.RewriteTrailingDot)},
		{"an IPv6 address written long", "http://[0:0::1]", as(classify.RewriteIPNotation)},

		{"the port of https", "https://example.com:443", as(classify.RewritePort)},
		{"a colon without port", "example.com:", as(classify.RewritePort)},
		{"a port with zeros", "example.com:0081", as(classify.RewritePort)},

		{"dot segments", "https://example.com/a/../b/./c", as(classify.RewriteDotSegments)},
		{"a lone slash", "https://example.com/", as(classify.RewriteSlashes)},
		{"dot segments that leave an empty path", "https://example.com/a/..", as(classify.RewriteDotSegments, classify.RewriteSlashes)},
		{"a query without slash", "https://example.com?q", as(classify.RewriteSlashes)},
		{"a path in another script", "https://example.com/\u00fc", as(classify.RewritePercentEncoding)},
		{"a fragment in another script", "https://example.com/a#\u00fc", as(classify.RewriteFragmentDropped)},
		{"percent-encoding in lower case", "https://example.com/%c3%bc", as(classify.RewritePercentEncoding)},
		{"percent-encoding in upper case", "https://example.com/%C3%BC?%C3%BC#/%C3%BC", nil},
		{"an unreserved character percent-encoded", "https://example.com/l%6Fgin", as(classify.RewritePercentEncoding)},
		{"percent-encoding in a dropped fragment", "https://example.com/a#%c3%bc%6f%", as(classify.RewriteFragmentDropped)},
		{"an empty fragment", "https://example.com/a#", as(classify.RewriteFragmentDropped)},
		{"an empty query", "https://example.com/a?", as(classify.RewriteQueryDropped)},
		{"an empty query at a platform", "x.com/jack?", as(classify.RewriteQueryDropped)},

		{"www. before a platform's host", "www.github.com/owner", as(classify.RewritePlatformForm)},
		{"www. before any other host", "www.example.com/owner", nil},
		{"another host of the platform", "twitter.com/jack", as(classify.RewritePlatformForm)},
		{"a country before the host", "de.linkedin.com/in/ada", as(classify.RewritePlatformForm)},
		{"a name as a host", "durov.t.me", as(classify.RewritePlatformForm)},
		{"another host and a word before an invitation", "discord.com/invite/Code2", as(classify.RewritePlatformForm)},
		{"an invitation in the old notation", "t.me/joinchat/AbCdEfGhIjKl", as(classify.RewritePlatformForm)},
		{"a repository's ending", "github.com/owner/repo.GIT", as(classify.RewritePlatformForm)},
		{"a repository in upper case", "github.com/Owner/Repo", as(classify.RewriteLetterCase)},
		{"a query at a platform", "x.com/jack?lang=en#top", as(classify.RewriteQueryDropped, classify.RewriteFragmentDropped)},
		{"a trailing slash at a platform", "x.com/jack/", as(classify.RewriteSlashes)},
		{"an @ before a name", "x.com/@jack", as(classify.RewritePlatformForm)},
		{"an @ that belongs to the name", "tiktok.com/@name", nil},
		{"an @ and a letter percent-encoded", "tiktok.com/%40n%61me", as(classify.RewritePercentEncoding)},
		{"a name with combining marks", "youtube.com/@u%CC%88ber", as(classify.RewriteUnicode)},
		{"a name in another script in upper case", "linkedin.com/in/%C3%9Cber", as(classify.RewriteLetterCase)},
		{"a case-sensitive channel ID", "youtube.com/channel/UCLA_DiR1FfKNvjuUpBHmylQ", nil},

		{"a handle in upper case", "Jack", as(classify.RewritePlatformForm, classify.RewriteLetterCase)},

		{"a local part in upper case", "Bob@example.com", as(classify.RewriteLetterCase)},
		{"a mail domain in another script", "bob@b\u00fccher.de", as(classify.RewriteUnicode)},

		{"hexadecimal digits in upper case", "0XD8DA6BF26964AF9D7EED9E03E53415D37AA96045", as(classify.RewriteLetterCase)},
		{"base58", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", nil},
		{
			"cashaddr without its prefix in upper case", "QPM2QSZNHKS23Z7629MMS6S4CWEF74VCWVY22GDX6A",
			as(classify.RewriteLetterCase, classify.RewriteAddressForm),
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
