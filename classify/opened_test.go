package classify_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

func TestCoveringOpened(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("\u00fc", 60)
	for _, test := range []struct{ name, content, canonical string }{
		{"no slashes", "https:evil.com", "https://evil.com"},
		{"no slashes, a port and a path", "HTTP:evil.com:8080/A", "http://evil.com:8080/A"},
		{"a tab, a line feed and a carriage return", "ht\ttps://ev\nil.com/\rlogin", "https://evil.com/login"},
		{"control characters at both ends", "\x00\x1f https://evil.com/\x01 \x02", "https://evil.com"},
		{"a space in the path", "https://evil.com/a b", "https://evil.com/a%20b"},
		{"a space in the query", "https://evil.com/?a b", "https://evil.com/?a%20b"},
		{"a control character in the path", "https://evil.com/a\x01\x7fb", "https://evil.com/a%01%7Fb"},
		{"a space in the user name", "https://a b@evil.com", "https://evil.com"},
		{"invalid UTF-8", "https://evil.com/\xff\xe2\x82", "https://evil.com/%EF%BF%BD%EF%BF%BD"},
		{"a character cut in two by a line feed", "https://evil.com/\xe2\n\x82\xac", "https://evil.com/%EF%BF%BD%EF%BF%BD%EF%BF%BD"},
		{"a byte order mark in the host", "https://ev\ufeffil.com", "https://evil.com"},
		{"many ignored characters in the host", "https://" + strings.Repeat("\u00ad", 400) + "evil.com", "https://evil.com"},
		{
			"a decomposed host", "https://" + strings.Repeat(strings.Repeat("e\u0301", 40)+".", 4) + "evil.com",
			"https://" + strings.Repeat("xn--9ca"+strings.Repeat("a", 39)+".", 4) + "evil.com",
		},
		{"full-width zeros before an IPv4 address", "http://" + strings.Repeat("\uff10", 400) + "1", "http://0.0.0.1"},
		{"a bidirectional mark in the path", "https://evil.com/\u202e", "https://evil.com/%E2%80%AE"},
		{"two slashes", "//evil.com/a", "https://evil.com/a"},
		{"two backslashes", `\\evil.com\a`, "https://evil.com/a"},
		{"a mix of slashes", `/\/evil.com`, "https://evil.com"},
		{"a space after a bare host", "evil.com/a b", "https://evil.com/a%20b"},
		{"a tab in a bare host", "evil\t.com", "https://evil.com"},
		{"a bare host with a port and a space", "evil.com:8443/ ?x", "https://evil.com:8443/%20?x"},
		{"port 80 is http", "evil.com:080/a b", "http://evil.com/a%20b"},
		{"a bare IPv4 address", "203.0.113.7/a b", "https://203.0.113.7/a%20b"},
		{"a bare IPv6 address", "[2001:DB8::1]/a b", "https://[2001:db8::1]/a%20b"},
		{"a user name before a bare host", "user@evil.com/login", "https://evil.com/login"},
		{"a user name and a port", "user@evil.com:8443", "https://evil.com:8443"},
		{"an @ before a bare host", "@evil.com/login", "https://evil.com/login"},
		{"other white space before the scheme", "\u00a0https:evil.com", "https://evil.com"},
		{"a host that no public suffix has", "https:localhost:3000", "https://localhost:3000"},
		{"a platform identifier", "https:twitter.com/Jack", "https://twitter.com/Jack"},
		{"two dots at the end", "https://evil.com../a", "https://evil.com../a"},
		{"a host of a dot", "https://./a", "https://./a"},
		{"a label that is too long", "https://" + long + ".evil.com.", "https://" + strings.Repeat("%C3%BC", 60) + ".evil.com"},
		{"too many labels", "https://" + strings.Repeat("\u00fc.", 200) + "evil.com", ""},
		{"a long query", "https://evil.com/a?" + strings.Repeat("q", 9000), "https://evil.com/a"},
		{"a long fragment", "https://evil.com/a?b#" + strings.Repeat("f", 9000), "https://evil.com/a?b"},
		{"a long segment", "https://evil.com/a/b/" + strings.Repeat("c", 9000), "https://evil.com/a/b/"},
		{"a segment that just fits", "https://evil.com/" + strings.Repeat("a", 8174) + "/b/c", "https://evil.com/" + strings.Repeat("a", 8174) + "/"},
		{"a segment that just does not fit", "https://evil.com/" + strings.Repeat("a", 8175) + "/b/c", "https://evil.com"},
		{"a path that just fits before a query", "https://evil.com/" + strings.Repeat("a", 8175) + "?q", "https://evil.com/" + strings.Repeat("a", 8175)},
		{"many segments", "https://evil.com" + strings.Repeat("/a", 9000), "https://evil.com/a/a/a/a/a/a/"},
		{"a long user name", "https://" + strings.Repeat("u", 9000) + "@evil.com/a", "https://evil.com/a"},
		{"a path that grows", "https://evil.com/a/" + strings.Repeat("\u00fc", 4000), "https://evil.com/a/"},
		{"a long host", "https://" + strings.Repeat("a", 9000) + ".evil.com/a", "https://" + strings.Repeat("a", 9000) + ".evil.com"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := classify.Classify(test.content)
			require.Error(t, err)
			covers := classify.CoveringOpened(test.content)
			require.NotEmpty(t, covers)
			requireOpenedLaws(t, covers)
			if test.canonical != "" {
				require.Equal(t, asset.Identity{Type: asset.TypeURL, Canonical: test.canonical}, covers[0].Identity)
			}
			if strings.HasSuffix(strings.TrimSuffix(splitHref(covers[0].Canonical+"/").host, "."), ".evil.com") {
				last := covers[len(covers)-3:] // with the two URLs of its step
				require.Equal(t, classify.Cover{Identity: pageIdentity("evil.com"), Kind: classify.CoverDomain, Step: last[2].Step}, last[0])
			}
		})
	}
}

func TestCoveringOpened_port80(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, content, page string }{
		{"the page", "u@evil.com:80/", "evil.com:80"},
		{"a path", "evil.com:80/a b", "evil.com:80"},
		{"two slashes", "//evil.com:80/a/b?q", "evil.com:80/a"},
		{"a tab", "e\tvil.com:80", "evil.com:80"},
		{"the same link", "//evil.com:80/a?q#/r", "evil.com:80/a?q#/r"},
		{"a platform identifier", "//github.com:80/owner", "github.com:80"},
		{"a link to a platform", "//twitter.com:80/i/lists/1", "twitter.com:80/i"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			covers := classify.CoveringOpened(test.content)
			require.Contains(t, identitiesOf(covers), pageIdentity(test.page))
			requireOpenedLaws(t, covers)
		})
	}
}

func TestCoveringOpened_none(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, content string }{
		{"empty", ""},
		{"white space", " \t\n"},
		{"words", "no asset"},
		{"words with a host", "see evil.com"},
		{"a host and words", "evil.com is bad"},
		{"one slash", "/evil.com"},
		{"a path", "/evil.com/a b"},
		{"an unknown suffix", "evil.unknown/a b"},
		{"a public suffix", "com/a b"},
		{"a reserved word", "localhost/a b"},
		{"a comment", "// a comment"},
		{"a bare number", "127.1/a b"},
		{"another scheme", "ftp://evil.com/a b"},
		{"another scheme without slashes", "mailto:bob@evil.com"},
		{"another scheme with an e-mail address and a path", "mailto:bob@evil.com/a b"},
		{"a defanged scheme", "hxxps://evil.com"},
		{"a defanged host", "evil[.]com/a b"},
		{"an e-mail address with a tab", "bob@\tevil.com"},
		{"an e-mail address with a display name", "Bob <bob@evil.com>"},
		{"words before an @", "mail bob@evil.com/a"},
		{"a handle that is not one", "@a b"},
		{"an address with a wrong checksum", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5"},
		{"a secret", "5KJvsngHeMpm884wtkJNzQGaCErckhHJBGFsvd3VyK5qMZXj3hS"},
		{"a telephone number", "+1.555.0100"},
		{"no host", "https://"},
		{"no host before a port", "https://:80"},
		{"no host after a user name", "https://user@/a"},
		{"a space in the host", "https://ev il.com"},
		{"a host of ignored characters", "https://\u00ad/"},
		{"a port that is too large", "https:evil.com:65536"},
		{"a port that is not a number", "https:evil.com:8a"},
		{"a number that is not an IPv4 address", "https:1.2.3.4.5"},
		{"an IPv4 address after labels that are too long", "https://" + strings.Repeat("\u00fc", 60) + ".1"},
		{"an IPv6 address that is not closed", "https:[::1"},
		{"invalid punycode beside another script", "https://xn--a.\u00fc.evil.com"},
		{"invalid punycode in a parent", "https://" + strings.Repeat("\u00fc", 60) + ".xn--a.evil.com"},
		{"a character that no domain contains", "https:ev\u202eil.com"},
		{"invalid UTF-8 in the host", "https:ev\xffil.com"},
		{"an escaped slash in the host", "https:evil.com%2Fa"},
		{"a full-width slash in the host", "https:evil.com\uff0fa"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := classify.Classify(test.content)
			require.Error(t, err)
			require.Nil(t, classify.CoveringOpened(test.content))
		})
	}
}

// A content that Classify accepts as a URL has the same covers by both readings.
func TestCoveringOpened_accepted(t *testing.T) {
	t.Parallel()
	for _, of := range allContents(t) {
		t.Run(of.name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				content := of.draw.Draw(t, "content")
				covers := classify.CoveringOpened(content)
				if covers != nil {
					requireOpenedLaws(t, covers)
				}
				if result, err := classify.Classify(content); err == nil && result.Type == asset.TypeURL && strings.HasSuffix(content, result.Content) {
					require.Equal(t, result.Identity, covers[0].Identity)
				}
			})
		})
	}
}

// requireOpenedLaws requires the laws of the covers of a link that is read.
func requireOpenedLaws(t require.TestingT, covers []classify.Cover) {
	require.LessOrEqual(t, len(covers), classify.MaxCovers+1)
	require.Equal(t, asset.TypeURL, covers[0].Type)
	require.Equal(t, classify.CoverURL, covers[0].Kind)
	for i, cover := range covers {
		require.NotEqual(t, classify.CoverExact, cover.Kind)
		if i > 0 {
			result, err := classify.Classify(cover.Canonical)
			require.NoError(t, err, "%q", cover.Canonical)
			require.Equal(t, cover.Identity, result.Identity)
		}
	}
	again, err := classify.Classify(covers[0].Canonical)
	identities := identitiesOf(covers)
	switch {
	case strings.HasPrefix(covers[0].Canonical, "http://") && err == nil && slices.ContainsFunc(identities, hasPort80):
		for _, cover := range classify.Covering(again.Identity) {
			require.True(t, cover.Effect != classify.CoverDecides || slices.Contains(identities, cover.Identity), "%v", cover)
		}
	case err != nil: // by the same reading
		require.Equal(t, covers, classify.CoveringOpened(covers[0].Canonical))
	case again.Type == asset.TypeURL:
		require.Equal(t, covers[0].Identity, again.Identity)
		require.Equal(t, identitiesOf(classify.Covering(again.Identity)), identitiesOf(covers))
	default:
		require.Equal(t, identitiesOf(classify.Covering(again.Identity)), identitiesOf(covers[1:]))
	}
}

// hasPort80 reports whether an asset covers only what was read without a scheme.
func hasPort80(identity asset.Identity) bool {
	return identity.Type == asset.TypePage && strings.HasSuffix(strings.SplitN(identity.Canonical, "/", 2)[0], ":80")
}

func identitiesOf(covers []classify.Cover) []asset.Identity {
	identities := make([]asset.Identity, len(covers))
	for i, cover := range covers {
		identities[i] = cover.Identity
	}
	return identities
}

func pageIdentity(host string) asset.Identity {
	return asset.Identity{Type: asset.TypePage, Canonical: host}
}
