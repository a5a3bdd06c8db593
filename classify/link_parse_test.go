package classify_test

import (
	"strings"
	"testing"

	whatwg "github.com/nlnwa/whatwg-url/url"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/classify"

	"github.com/apguard/apguard/asset"
)

// tails draws the part after a host, of characters and words with a meaning in URL
// parsers.
func tails() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		words := []string{
			"/", "\\", "?", "#", "#/", "#!", ".", "..", "%2e", "%2E", ".%2e", "%2e%2E", "...", "a", "B", "%", "%4", "%41", "%zz", "%c3",
			":", ":80", ":443", ":0", ":65535", "@", "\u00fc", "\U0001f4a9", "\u200b", "\ufffd",
			"\"", "<", ">", "`", "{", "}", "'", "|", "[", "]", "~", "!", "$", "&", "(", ")", "*", "+", ",", ";", "=", "_", "-", "\ue000", "\uffff",
		}
		end := rapid.SampledFrom([]string{"", "", ".", ":", ":80", ":443", ":0", ":00443", ":065535", ":65536", ":8x", ":+1", ":1_0", ":-0"}).Draw(t, "end")
		start := rapid.SampledFrom([]string{"", "/", "\\", "?", "#"}).Draw(t, "start")
		if start == "" {
			return end
		}
		return end + start + strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 12).Draw(t, "rest"), "")
	})
}

// TestParseLink_oracle compares URLs with the library's parser, for hosts that it parses
// correctly.
func TestParseLink_oracle(t *testing.T) {
	t.Parallel()
	parser := browserParser()
	hosts := []string{
		"example.com", "EXAMPLE.com", "a_b.example", "b\u00fccher.de", "xn--bcher-kva.de", "ex%61mple.com", "user:pw@example.com",
		"1.2.3.4", "0x7f.1", "256.1.1.1", "1.2.3.4.5", "example.08", "[::1]", "[1::2:0:0:3]", "[::ffff:1.2.3.4]", "[::1", "[::1.2.3]",
		"a b", "a^b", "a%2fb", "@", ":80",
	}
	rapid.Check(t, func(t *rapid.T) {
		content := rapid.SampledFrom([]string{"http", "HTTPS"}).Draw(t, "scheme") +
			rapid.SampledFrom([]string{":/", "://", ":\\\\", ":////"}).Draw(t, "slashes") +
			rapid.SampledFrom(hosts).Draw(t, "host") + tails().Draw(t, "tail")

		got, err := classify.Classify(content)
		want, wantErr := parser.Parse(content)
		switch {
		case strings.Contains(content, " "):
			requireRefused(t, classify.ReasonForbiddenCharacter, err)
		case wantErr != nil:
			require.Error(t, err, "%q", content)
		case strings.HasSuffix(want.Hostname(), "."):
			requireDotsDropped(t, want.Hostname(), got, err)
		default:
			require.NoError(t, err, "%q", content)
			require.Equal(t, asset.Identity{Type: asset.TypeURL, Canonical: canonicalURL(want)}, got.Identity, "%q", content)
		}
	})
}

// canonicalURL returns the canonical form of a URL that the library parsed.
func canonicalURL(u *whatwg.Url) string {
	u.SetUsername("")
	u.SetPassword("")
	return canonicalHref(u.Href(false))
}

func requireDotsDropped(t *rapid.T, hostname string, got classify.Result, err error) {
	if strings.Trim(hostname, ".") == "" || strings.HasSuffix(hostname, "..") {
		require.Error(t, err)
		return
	}
	require.NoError(t, err)
	require.Contains(t, got.Canonical, "://"+strings.TrimSuffix(hostname, "."))
	require.NotContains(t, got.Canonical, "://"+hostname)
}

// TestParseHost_numbers compares hosts that browsers parse as IPv4 addresses with the
// library.
func TestParseHost_numbers(t *testing.T) {
	t.Parallel()
	number := rapid.SampledFrom([]string{
		"0", "00", "1", "127", "255", "256", "0x", "0xff", "0xFF", "0x100", "0377", "0400", "08", "65535", "65536", "0xffff", "16777215", "16777216",
		"4294967295", "4294967296", "0xffffffff", "0x100000000", "037777777777", "18446744073709551616", "1_0", "0b1", "0o7", "", "a",
	})
	rapid.Check(t, func(t *rapid.T) {
		content := "http://" + strings.Join(rapid.SliceOfN(number, 1, 5).Draw(t, "numbers"), ".") + "/a"
		want, wantErr := browserParser().Parse(content)
		got, err := classify.Classify(content)
		switch {
		case wantErr != nil:
			requireRefused(t, classify.ReasonInvalidHost, err)
		case strings.HasSuffix(want.Hostname(), "."):
			requireDotsDropped(t, want.Hostname(), got, err)
		default:
			require.NoError(t, err, "%q", content)
			require.Equal(t, canonicalURL(want), got.Canonical, "%q", content)
		}
	})
}

// requireSameLink compares a link with the same link with an empty user name, which is never
// a common link and so takes the slow path.
func requireSameLink(t require.TestingT, text string) {
	if text == "" || strings.ContainsRune(`/\`, rune(text[0])) {
		return // slashes before the host count only without a user name
	}
	for _, scheme := range []string{"http", "https"} {
		got, err := classify.Classify(scheme + "://" + text)
		want, wantErr := classify.Classify(scheme + "://@" + text)
		require.Equal(t, wantErr == nil, err == nil, "%q: %v, %v", text, err, wantErr)
		require.Equal(t, want.Identity, got.Identity, "%q", text)
	}
}

// browserParser returns the library's parser with the standard's current path
// percent-encode set.
func browserParser() whatwg.Parser {
	return whatwg.NewParser(whatwg.WithPathPercentEncodeSet(whatwg.PathPercentEncodeSet.Set('^')))
}

// afterScheme returns the part after the scheme and its slashes.
func afterScheme(content string) string {
	if _, rest, ok := strings.Cut(content, "://"); ok {
		return rest
	}
	return content
}

func TestParsePlainLink(t *testing.T) {
	t.Parallel()
	for _, content := range plainURLs {
		requireSameLink(t, afterScheme(content))
	}
	for _, text := range []string{
		"example.com/.well-known/", "1.2.3.4/", "example.com:80", "example.com:443", "example.com:65535/", "a_b-c.example?x#y", "h?", "h#", "h#/", "h:", "h?#/",
	} {
		requireSameLink(t, text)
	}
	for _, start := range []string{"", "h", "h.", "h:", "h/", "h/.", "h/..", "h?", "h/?", "h#", "h#/", "h/#!"} {
		for c := range 0x80 {
			requireSameLink(t, start+string(rune(c)))
			requireSameLink(t, start+string(rune(c))+"/")
		}
	}
}

func TestParsePlainLink_law(t *testing.T) {
	t.Parallel()
	hosts := []string{
		"example.com", "EXAMPLE.com", "a_b-c.example", ".example", "example..com", "xn--bcher-kva.de", "1.2.3.4", "01.2.3.4", "1.2.3.4.", "1.2.3",
		"256.1.1.1", "0x7f.1", "1.example", "example.1", "example.0x", "example.com.", "a", "", "-443", "y.-0", "-0x1f", "user@example.com", "ex%61mple.com",
	}
	rapid.Check(t, func(t *rapid.T) {
		requireSameLink(t, rapid.SampledFrom(hosts).Draw(t, "host")+tails().Draw(t, "tail"))
	})
}

func FuzzFastPath(f *testing.F) {
	for _, content := range plainURLs {
		f.Add(afterScheme(content))
	}
	for _, c := range readLines[urlCase](f, "testdata/wpt/urltestdata.jsonl") {
		f.Add(afterScheme(c.Input))
	}
	for _, rows := range goldenRows(f) {
		for _, row := range rows {
			f.Add(afterScheme(row.Content))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		requireSameLink(t, text)
	})
}

// A plain URL needs one allocation for the input and one for the canonical form, unless
// that is the content. Upper case in the host needs another.
func TestClassify_allocations(t *testing.T) {
	for _, content := range plainURLs {
		most := 2.0
		if strings.Contains(content, "EXAMPLE") {
			most++
		}
		require.LessOrEqual(t, testing.AllocsPerRun(100, classifying(content)), most, "%q", content)
	}
}
