package classify_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

func TestLookAlike(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, content, want string }{ // want is empty for none
		{"a name in Cyrillic", "https://аррӏе.com", "apple.com"},
		{"its punycode", "https://xn--80ak6aa92e.com", "apple.com"},
		{"a page", "аррӏе.com", "apple.com"},
		{"an e-mail address", "info@аррӏе.com", "apple.com"},
		{"a path and a port", "https://аррӏе.com:8443/login?x=1", "apple.com"},
		{"Latin with one letter in Cyrillic", "https://pаypal.com", "paypal.com"},
		{"letters that look like small capitals", "https://тelegraм.org", "telegram.org"},
		{"a name in Greek", "https://ρορα.com", "popa.com"},
		{"a name in Armenian", "https://օհո.com", "ohn.com"},
		{"a name in Lisu, which has only capitals", "https://ꓮꓑꓑꓡꓰ.com", "apple.com"},
		{"a dotless i", "https://wıkipedia.org", "wikipedia.org"},
		{"two letters in one", "https://ælbum.com", "aelbum.com"},
		{"a minus for a hyphen", "https://my\u2212shop.com", "my-shop.com"},
		{"a subdomain in Cyrillic", "https://аррӏе.example.com", "apple.example.com"},
		{"a subdomain in ASCII", "https://www.аррӏе.com", "www.apple.com"},
		{"a subdomain that looks like nothing", "https://почта.аррӏе.com", "apple.com"},
		{"a domain that looks like nothing", "https://аррӏе.почта.com", ""},
		{"a letter that looks like nothing", "https://яндех.com", ""},
		{"a top-level domain in Cyrillic", "https://оса.рф", ""},
		{"a top-level domain that looks like none", "https://оса.ком", ""},
		{"an accent", "https://applé.com", ""},
		{"a stroke", "https://tеłegram.com", ""},
		{"an umlaut", "https://bücher.de", ""},
		{"letters from right to left", "https://הס.com", ""},
		{"ASCII", "https://apple.com", ""},
		{"rn for m", "https://rnicrosoft.com", ""},
		{"0 for o", "https://g00gle.com", ""},
		{"full-width letters are those letters", "https://ａｐｐｌｅ.com", ""},
		{"a hyphen that begins the label", "https://\u2212a.com", "-a.com"},
		{"more characters than a domain can have", "https://" + strings.Repeat("a.", 150) + "xn--80ak6aa92e.com", ""},
		{"an IPv6 address", "https://[::1]", ""},
		{"a platform", "https://gіthub.com/owner", "github.com"},
		{"a handle", "@jack", ""},
		{"an address", "0x00000000219ab540356cBB839Cbe05303d7705Fa", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			result, err := classify.Classify(test.content)
			require.NoError(t, err)
			got, ok := classify.LookAlike(result.Identity)
			require.Equal(t, test.want, got, result.Canonical)
			require.Equal(t, test.want != "", ok)
		})
	}
}

// What Classify never returns has no look-alike either.
func TestLookAlike_malformed(t *testing.T) {
	t.Parallel()
	for name, canonical := range map[string]string{
		"empty":                       "",
		"punycode of nothing":         "https://xn--.com",
		"punycode that is not one":    "https://xn--99999999a.com",
		"punycode of an unmapped one": "https://xn--wca.com",
	} {
		got, ok := classify.LookAlike(asset.Identity{Type: asset.TypeURL, Canonical: canonical})
		require.False(t, ok, name)
		require.Empty(t, got, name)
	}
}

// requireLookAlikeLaws requires that a look-alike is a domain in ASCII that Classify accepts, looks
// like nothing itself, and that a host in ASCII has none.
func requireLookAlikeLaws(t require.TestingT, content string) {
	result, err := classify.Classify(content)
	if err != nil {
		return
	}
	domain, ok := classify.LookAlike(result.Identity)
	require.Equal(t, ok, domain != "", "%+q", content)
	host, _, _ := classify.SplitHost(result.Identity)
	if !ok {
		return
	}
	require.Contains(t, host, "xn--", "a host in ASCII looks like itself: %+q", content)
	require.NotContains(t, "."+domain, ".xn--", "%+q", content)
	require.LessOrEqual(t, strings.Count(domain, "."), strings.Count(host, "."), "%+q", content)
	for _, spelling := range []string{domain, "https://" + domain} {
		again, err := classify.Classify(spelling)
		require.NoError(t, err, "%+q: %s", content, spelling)
		require.Equal(t, spelling, again.Canonical, "%+q", content)
		found, _, _ := classify.SplitHost(again.Identity)
		require.Equal(t, domain, found, "%+q", content)
		_, ok = classify.LookAlike(again.Identity)
		require.False(t, ok, "%+q: %s", content, spelling)
	}
}

func TestLookAlike_laws(t *testing.T) {
	t.Parallel()
	letter := rapid.RuneFrom([]rune("аеорсухіјѕһӏԁԛԝткмнвьαορνγιꓮꓐꓓaepl0-1æœſ\u2212\u0301жéя०٠ס"))
	label := rapid.StringOfN(letter, 1, 8, -1)
	rapid.Check(t, func(t *rapid.T) {
		labels := rapid.SliceOfN(label, 1, 3).Draw(t, "labels")
		end := rapid.SampledFrom([]string{"com", "co.uk", "github.io", "сом", "рф", "2", "6"}).Draw(t, "end")
		requireLookAlikeLaws(t, strings.Join(append(labels, end), "."))
		requireLookAlikeLaws(t, "https://"+strings.Join(append(labels, end), "."))
	})
}

func FuzzLookAlike(f *testing.F) {
	for _, content := range []string{"https://аррӏе.com", "xn--80ak6aa92e.com", "https://ⳋⳋ.ⳋ", "a@օհո.com", "https://\u2212.ꓺ.com"} {
		f.Add(content)
	}
	f.Fuzz(func(t *testing.T, content string) { requireLookAlikeLaws(t, content) })
}
