//go:build !js

package classify_test

import (
	"math/rand/v2"
	neturl "net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/internal/test/linktest"
	"github.com/apguard/apguard/internal/test/testsize"
)

type chromiumReason struct {
	name string
	has  func(content string, url linktest.URL) bool
}

// chromiumReasons are the reasons why a check reads a host in another way than Chromium, or refuses it.
var chromiumReasons = []chromiumReason{
	{"Chromium escapes spaces in a host, and no name in DNS has them", func(_ string, url linktest.URL) bool {
		return strings.Contains(url.Hostname, "%20")
	}},
	{"a percent sign of another script, which the URL Standard refuses in a host", func(content string, url linktest.URL) bool {
		return strings.ContainsAny(content, "\uff05\ufe6a") && strings.Contains(url.Hostname, "xn--")
	}},
	{"a host or label is longer than those of DNS", func(_ string, url linktest.URL) bool { return isTooLong(url.Hostname) }},
}

// TestCoveringOpened_Chromium requires that a check answers for each host that Chromium opens: for
// every code point in a host, and for mutations of links.
func TestCoveringOpened_Chromium(t *testing.T) {
	t.Parallel()
	step := rune(testsize.Of(1009, 101, 1))
	var contents []string
	for r := rune(0); r <= utf8.MaxRune; r += step {
		if utf8.ValidRune(r) {
			contents = append(contents, "https://a"+string(r)+"b.example.com/x")
		}
	}
	random := rand.New(rand.NewChaCha8([32]byte{3}))
	for range testsize.Of(1_000, 10_000, 100_000) {
		contents = append(contents, linktest.Mutate(random, mutatedLinks[random.IntN(len(mutatedLinks))]))
	}
	figures := map[string]int{}
	for i, url := range linktest.ParseInChromium(t, contents) {
		if !url.OnWeb() {
			figures["not opened"]++
			continue
		}
		figures["opened"]++
		covers, err := check.Covers(contents[i])
		name, unescapeErr := neturl.PathUnescape(url.Hostname) // Chromium escapes some signs, such as *
		require.NoError(t, unescapeErr)
		if err == nil && answersFor(covers[0], strings.TrimRight(name, ".")) {
			figures["answered"]++
			continue
		}
		at := slices.IndexFunc(chromiumReasons, func(r chromiumReason) bool { return r.has(contents[i], url) })
		require.GreaterOrEqual(t, at, 0, "%+q opens %s: %v %v", contents[i], url.Href, covers, err)
		figures[chromiumReasons[at].name]++
	}
	for _, reason := range chromiumReasons {
		t.Logf("%7d %s", figures[reason.name], reason.name)
		delete(figures, reason.name)
	}
	t.Logf("%v, read otherwise: 0", figures)
}

// answersFor reports whether the asset that a check answers for is on a host. A platform identifier
// is on all hosts of its platform.
func answersFor(cover classify.Cover, name string) bool {
	if cover.Type != asset.TypeURL && cover.Type != asset.TypePage {
		return classify.IsPlatformHost(name)
	}
	host, _, _ := classify.SplitHost(cover.Identity)
	return strings.TrimRight(host, ".") == name
}
