package classify_test

import (
	"strings"
	"testing"

	whatwg "github.com/nlnwa/whatwg-url/url"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/classify"
)

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
