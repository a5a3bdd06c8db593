//go:build !js

package classify_test

import (
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/internal/test/linktest"
	"github.com/apguard/apguard/internal/test/testsize"
)

var mutatedLinks = []string{
	"https://evil.com", "http://evil.com:8080/login", "https://user:password@login.evil.com/a/b/c?q=1#/route", "HTTPS://Evil.COM./A",
	"https://wallet.example.co.uk/x/../y", "https://evil.com/%7Ename/%e2%82%ac?%71#top", "https://b\u00fccher.evil.com/\u00fc", "http://xn--bcher-kva.evil.com",
	"http://203.0.113.7/x", "http://0xcb.0.0x7107:80/", "https://[2001:db8::1]:8443/x", "https://x.com/jack", "https://name.medium.com/post",
	"https://github.com/owner/repo", "https://evil.com/a/b/c/d/e/f/g/h?q=1", "https://sub.a_b.evil.com//a//b/",
}

// TestCoveringOpened_Node compares mutations of links with Node's URL.
func TestCoveringOpened_Node(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewChaCha8([32]byte{1}))
	contents := make([]string, testsize.Of(2_000, 20_000, 200_000))
	for i := range contents {
		contents[i] = linktest.Mutate(random, mutatedLinks[random.IntN(len(mutatedLinks))])
	}
	var figures struct{ accepted, opened, refused int }
	for i, url := range linktest.ParseInNode(t, contents) {
		content := contents[i]
		// Classify ignores other white space around a content, too.
		trimmed := strings.TrimFunc(content, isC0OrSpace)
		if url.ReadsOlder(content) || leavesDotSegments(url.Href) || strings.TrimSpace(trimmed) != trimmed {
			continue
		}
		result, err := classify.Classify(content)
		covers := classify.CoveringOpened(content)
		switch {
		case !url.OnWeb():
			figures.refused++
			requireNoWebLink(t, content, covers, err)
		case err == nil:
			figures.accepted++
			if result.Type == asset.TypeURL {
				require.Equal(t, canonicalHref(url.Href), result.Canonical, "%q", content)
			}
		default:
			figures.opened++
			requireOpens(t, content, url, covers)
		}
	}
	t.Logf("%+v", figures)
}

// requireNoWebLink requires that a content that is no http or https URL is not read as one.
func requireNoWebLink(t *testing.T, content string, covers []classify.Cover, err error) {
	t.Helper()
	text := strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(strings.TrimFunc(content, isC0OrSpace))
	scheme, _, _ := strings.Cut(text, ":")
	if !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
		return // a link without a scheme is one for an address bar only
	}
	require.Error(t, err, "%q", content)
	if covers != nil {
		// A check accepts more hosts than Node: those with both directions in a label, and IP addresses
		// and percent signs in part of another script that Chromium decodes. Not every label of a host that no
		// asset has is validated.
		host := splitHref(covers[0].Canonical + "/").host
		_, err := classify.Classify(covers[0].Canonical)
		require.True(t, err != nil || strings.Contains(host, "xn--") || strings.HasPrefix(host, "[") || net.ParseIP(host) != nil || strings.ContainsAny(content, "%\uff05\ufe6a"), "%q", content)
	}
}

// leavesDotSegments reports whether Node 20 parsed a path like //.a/../b, in which it leaves dot
// segments.
func leavesDotSegments(href string) bool {
	path, _, _ := strings.Cut(href, "#")
	path, _, _ = strings.Cut(path, "?")
	return strings.Contains(path+"/", "/../") || strings.Contains(path+"/", "/./")
}

func isC0OrSpace(r rune) bool { return r <= ' ' }

// requireOpens requires that a content that is refused has the covers of the URL.
func requireOpens(t *testing.T, content string, url linktest.URL, covers []classify.Cover) {
	t.Helper()
	require.NotEmpty(t, covers, "%q", content)
	requireOpenedLaws(t, covers)
	canonical, got := canonicalHref(url.Href), covers[0].Canonical
	host := splitHref(url.Href).host
	switch {
	case strings.HasSuffix("."+host, ".."):
		require.Contains(t, got+"/", "://"+host, "%q", content)
		require.Len(t, covers, 1, "%q", content)
	case got == canonical, isTooLong(host):
	default:
		require.Greater(t, len(canonical), classify.MaxContent, "%q is %q, not %q", content, got, canonical)
		require.LessOrEqual(t, len(got), classify.MaxContent, "%q", content)
		require.True(t, strings.HasPrefix(canonical, got), "%q is %q", content, got)
	}
	for _, parent := range []string{"evil.com", "example.co.uk"} {
		if strings.HasSuffix("."+strings.TrimSuffix(host, "."), "."+parent) {
			require.Contains(t, identitiesOf(covers), pageIdentity(parent), "%q", content)
		}
	}
}

// isTooLong reports whether DNS cannot represent a host.
func isTooLong(host string) bool {
	return len(host) > 254 || slices.ContainsFunc(strings.Split(host, "."), func(label string) bool { return len(label) > 63 })
}
