package classify_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// urlCase is a test of URL parsing from the Web Platform Tests.
type urlCase struct {
	Comment string `json:"comment"`
	Input   string `json:"input"`
	Href    string `json:"href"`
	Failure bool   `json:"failure"`
}

// domainCase is a test of domain parsing from the Web Platform Tests. Browsers refuse a
// domain without an output.
type domainCase struct {
	Comment string  `json:"comment"`
	Input   string  `json:"input"`
	Output  *string `json:"output"`
}

// hasUndecodable reports whether a link or host in ASCII has punycode. The tests are older than the
// change of the standard of June 2026: a host in ASCII is taken as it is, whatever it decodes to.
func hasUndecodable(text string) bool {
	return strings.Contains(strings.ToLower(text), "xn--") && !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
}

// deviation is a kind of link that browsers accept and Classify refuses on purpose.
type deviation struct {
	name   string
	reason classify.Reason
	has    func(c urlCase) bool
}

// deviations holds the kinds in the order of the checks.
var deviations = []deviation{
	{
		"browsers drop or encode white space and control characters, which make a content look like another one",
		classify.ReasonForbiddenCharacter,
		func(c urlCase) bool { return strings.ContainsFunc(strings.TrimSpace(c.Input), isHostile) },
	},
	{
		"browsers accept http:example.com, in some places as a relative link",
		classify.ReasonMissingSlashes,
		func(c urlCase) bool {
			_, rest, _ := strings.Cut(c.Input, ":")
			return !strings.HasPrefix(rest, "/") && !strings.HasPrefix(rest, `\`)
		},
	},
	{
		"browsers accept a host of dots or with several dots at its end, which cannot exist in the DNS",
		classify.ReasonInvalidHost,
		func(c urlCase) bool { return !c.Failure && strings.HasSuffix("."+splitHref(c.Href).host, "..") },
	},
}

func TestParseLink_wpt(t *testing.T) {
	t.Parallel()
	found := map[string]bool{}
	for _, c := range readLines[urlCase](t, "testdata/wpt/urltestdata.jsonl") {
		t.Run(strings.TrimPrefix(c.Comment+": "+c.Input, ": "), func(t *testing.T) {
			got, err := classify.Classify(c.Input)
			if d, ok := deviationOf(c); ok {
				found[d.name] = true
				requireRefused(t, d.reason, err)
				return
			}
			if c.Failure && hasUndecodable(c.Input) {
				require.NoError(t, err)
				return
			}
			if c.Failure {
				require.ErrorIs(t, err, classify.ErrInvalidFormat)
				return
			}
			require.NoError(t, err)
			require.Equal(t, urlIdentity(canonicalHref(c.Href)), got.Identity)
		})
	}
	for _, d := range deviations {
		require.True(t, found[d.name], "no test has the deviation: %s", d.name)
	}
}

func TestParseHost_wpt(t *testing.T) {
	t.Parallel()
	for _, c := range readLines[domainCase](t, "testdata/wpt/toascii.jsonl") {
		t.Run(strings.TrimPrefix(c.Comment+": "+c.Input, ": "), func(t *testing.T) {
			got, err := classify.Classify("https://" + c.Input + "/x")
			if c.Output == nil && hasUndecodable(c.Input) {
				require.NoError(t, err)
				return
			}
			if c.Output == nil {
				requireRefused(t, classify.ReasonInvalidHost, err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, urlIdentity(canonicalHref("https://"+*c.Output+"/x")), got.Identity)
		})
	}
}

func deviationOf(c urlCase) (deviation, bool) {
	for _, d := range deviations {
		if d.has(c) {
			return d, true
		}
	}
	return deviation{}, false
}

func urlIdentity(canonical string) asset.Identity {
	return asset.Identity{Type: asset.TypeURL, Canonical: canonical}
}

// hrefParts holds the parts of a URL that a browser serialized.
type hrefParts struct {
	scheme   string // with ://
	userInfo string // with @
	host     string
	port     string // with :
	tail     string // path and query
	fragment string // with #
}

func splitHref(href string) hrefParts {
	var p hrefParts
	before := func(sep string) string {
		part, rest, ok := strings.Cut(href, sep)
		if !ok {
			return ""
		}
		href = rest
		return part + sep
	}
	p.scheme = before("://")
	if i := strings.Index(href, "#"); i >= 0 {
		href, p.fragment = href[:i], href[i:]
	}
	slash := strings.Index(href, "/")
	href, p.tail = href[:slash], href[slash:]
	p.userInfo = before("@")
	p.host = href
	if i := strings.LastIndex(href, ":"); i > strings.LastIndex(href, "]") {
		p.host, p.port = href[:i], href[i:]
	}
	return p
}

// canonicalHref returns the canonical form of a URL that was serialized as the standard
// prescribes. Browsers also encode the bar of a path.
func canonicalHref(href string) string {
	p := splitHref(withoutEmptyQuery(href))
	path, query := cutBefore(p.tail, "?")
	p.tail = strings.ReplaceAll(path, "|", "%7C") + query
	if !strings.HasPrefix(p.fragment, "#/") && !strings.HasPrefix(p.fragment, "#!") {
		p.fragment = ""
	}
	if p.tail == "/" && p.fragment == "" {
		p.tail = ""
	}
	return p.scheme + strings.TrimSuffix(p.host, ".") + p.port + normalEscapes(p.tail+p.fragment)
}
