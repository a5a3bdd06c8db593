package classify_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/internal/suffix"
)

// coverRow is a row of testdata/covering.jsonl. Its covers are texts of kind, type and
// canonical form.
type coverRow struct {
	Why     string   `json:"why"`
	Content string   `json:"content"`
	Covers  []string `json:"covers"`
}

func TestCovering_golden(t *testing.T) {
	t.Parallel()
	for _, row := range readLines[coverRow](t, "testdata/covering.jsonl") {
		t.Run(row.Why, func(t *testing.T) {
			t.Parallel()
			result, err := classify.Classify(row.Content)
			require.NoError(t, err)
			require.Equal(t, row.Covers, coverTexts(classify.Covering(result.Identity)))
		})
	}
}

func coverTexts(covers []classify.Cover) []string {
	texts := make([]string, len(covers))
	for i, cover := range covers {
		texts[i] = string(cover.Kind) + " " + string(cover.Type) + " " + cover.Canonical
	}
	return texts
}

// modelCovers applies the rules of Covering to texts. It classifies each of them.
type modelCovers []classify.Cover

func modelCovering(identity asset.Identity) modelCovers {
	covers := modelCovers{{Identity: identity, Kind: classify.CoverExact}}
	switch canonical := identity.Canonical; identity.Type {
	case asset.TypeAddress:
	case asset.TypeEmail:
		domain := canonical[strings.IndexByte(canonical, '@')+1:]
		covers.addHost(domain, classify.CoverDomain)
		covers.addParents(domain)
	case asset.TypeURL:
		covers.addLink(canonical[strings.Index(canonical, "://")+len("://"):])
	case asset.TypePage:
		covers.addLink(canonical)
	default:
		host, path, _ := strings.Cut(canonical, "/")
		for i := strings.LastIndexByte(path, '/'); i >= 0; i = strings.LastIndexByte(path[:i], '/') {
			if result, err := classify.Classify(host + "/" + path[:i]); err == nil && result.Type == identity.Type {
				covers.add(result.Identity, classify.CoverAccount)
			}
		}
		covers.addHost(host, classify.CoverPage)
		covers.addParents(host)
	}
	return covers
}

func (covers *modelCovers) add(identity asset.Identity, kind classify.CoverKind) {
	same := func(cover classify.Cover) bool { return cover.Identity == identity }
	if !slices.ContainsFunc(*covers, same) {
		*covers = append(*covers, classify.Cover{Identity: identity, Kind: kind})
	}
}

// addLink adds the covers of a link without its scheme.
func (covers *modelCovers) addLink(link string) {
	authority, path, query, route := cutCanonical(link)
	covers.addForms(authority + path + query + route)
	covers.addForms(authority + path + query)
	covers.addForms(authority + path + route)
	covers.addForms(authority + path)
	segments := strings.Split(strings.TrimPrefix(path, "/"), "/")
	for n := min(6, len(segments)-1); n > 0; n-- {
		shorter := "/" + strings.Join(segments[:n], "/")
		covers.addForms(authority + shorter + "/")
		covers.addForms(authority + shorter)
	}
	covers.addForms(authority)
	host := authority
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		host = host[:i]
	}
	covers.addHost(host, classify.CoverPage)
	covers.addParents(host)
}

// cutCanonical splits a canonical link without its scheme.
func cutCanonical(link string) (authority, path, query, route string) {
	link, route = cutBefore(link, "#")
	link, query = cutBefore(link, "?")
	authority, path = cutBefore(link, "/")
	return authority, path, query, route
}

func cutBefore(text, separator string) (before, rest string) {
	if i := strings.Index(text, separator); i >= 0 {
		return text[:i], text[i:]
	}
	return text, ""
}

// addForms adds a link without its scheme as PAGE and as URL with either scheme.
func (covers *modelCovers) addForms(link string) {
	https, httpsErr := classify.Classify("https://" + link)
	page, err := classify.Classify(link)
	switch {
	case err == nil && page.Type == asset.TypePage:
		covers.add(page.Identity, classify.CoverPage)
	case err == nil && httpsErr == nil && page.Identity == https.Identity:
		covers.add(page.Identity, classify.CoverAccount)
	}
	http, httpErr := classify.Classify("http://" + link)
	for _, form := range []struct {
		classify.Result
		err error
	}{{https, httpsErr}, {http, httpErr}} {
		switch {
		case form.err != nil:
		case form.Type == asset.TypeURL:
			covers.add(form.Identity, classify.CoverURL)
		default:
			covers.add(form.Identity, classify.CoverAccount)
		}
	}
}

// addHost adds the PAGE of a host, or the platform identifier that it is.
func (covers *modelCovers) addHost(host string, kind classify.CoverKind) {
	page, err := classify.Classify(host)
	https, httpsErr := classify.Classify("https://" + host)
	switch {
	case err == nil && page.Type == asset.TypePage:
		covers.add(page.Identity, kind)
	case httpsErr == nil && https.Type != asset.TypeURL:
		covers.add(https.Identity, classify.CoverAccount)
	}
}

func (covers *modelCovers) addParents(host string) {
	publicSuffix, ok := suffix.FindPrivate(host)
	if !ok || host == publicSuffix {
		return
	}
	labels := strings.Split(strings.TrimSuffix(host, "."+publicSuffix), ".")
	for i := max(1, len(labels)-8); i < len(labels); i++ {
		covers.addHost(strings.Join(append(slices.Clone(labels[i:]), publicSuffix), "."), classify.CoverDomain)
	}
}

// requireCoverLaws requires the laws of Covering for an asset.
func requireCoverLaws(t require.TestingT, of asset.Identity) {
	covers := classify.Covering(of)
	require.Equal(t, []classify.Cover(modelCovering(of)), covers, "%v", of)
	require.LessOrEqual(t, len(covers), classify.MaxCovers)
	seen := map[asset.Identity]bool{}
	for _, cover := range covers {
		require.False(t, seen[cover.Identity], "%v: twice: %v", of, cover)
		seen[cover.Identity] = true
		require.Contains(t, classify.CoverKinds(), cover.Kind)
		result, err := classify.Classify(cover.Canonical)
		require.NoError(t, err, "%v: %v", of, cover)
		require.Equal(t, cover.Identity, result.Identity, "a canonical form")
	}
}

// links draws links whose covers differ in every part.
func links() *rapid.Generator[string] {
	oneOf := func(t *rapid.T, name string, texts ...string) string { return rapid.SampledFrom(texts).Draw(t, name) }
	label := rapid.SampledFrom([]string{"a", "www", "m", "login", "x_y", "-", "1", "xn--bcher-kva", "name", "durov", "~"})
	segment := rapid.SampledFrom([]string{"a", "b", "", "1", "owner", "@name", "s", "in", "channels", "12345678901234567", "%20", "..", "c:d"})
	return rapid.Custom(func(t *rapid.T) string {
		host := strings.Join(append(rapid.SliceOfN(label, 0, 6).Draw(t, "labels"), oneOf(t, "domain",
			"example.com", "example.co.uk", "example.github.io", "github.io", "co.uk", "github.com", "x.com", "medium.com", "t.me",
			"discord.com", "youtube.com", "linkedin.com", "a.compute.amazonaws.com", "foo.local", "localhost", "1.2.3.4", "[::1]", "city.kobe.jp")), ".")
		if host[len(host)-1] == ']' {
			host = "[::1]"
		}
		link := oneOf(t, "scheme", "http://", "https://", "https://", "") + host +
			oneOf(t, "port", "", "", "", ":80", ":443", ":8080", ":0")
		for _, segment := range rapid.SliceOfN(segment, 0, 9).Draw(t, "path") {
			link += "/" + segment
		}
		return link + oneOf(t, "query", "", "", "?", "?a=/b", "?x:y://z#t") + oneOf(t, "fragment", "", "", "#top", "#/route?a", "#!b")
	})
}

func TestCovering_laws(t *testing.T) {
	t.Parallel()
	for _, of := range append(allContents(t), contents{"links", links()}) {
		t.Run(of.name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				if result, err := classify.Classify(of.draw.Draw(t, "content")); err == nil {
					requireCoverLaws(t, result.Identity)
				}
			})
		})
	}
}

func TestCovering_notAnIdentity(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name      string
		kind      asset.Type
		canonical string
	}{
		{"nothing", "", ""},
		{"an unknown type", "SOMETHING", "https://a.example.com"},
		{"a type that no rule recognizes", asset.TypeReddit, "reddit.com/r/all"},
		{"a link in upper case", asset.TypeURL, "https://a.EXAMPLE.com/x"},
		{"a link without a scheme", asset.TypeURL, "a.example.com/x"},
		{"a URL that is a platform identifier", asset.TypeURL, "https://github.com/owner"},
		{"a page with a scheme", asset.TypePage, "https://a.example.com/x"},
		{"a page that is a platform identifier", asset.TypePage, "github.com/owner"},
		{"an identifier of another type", asset.TypeTwitter, "github.com/owner/repository"},
		{"an identifier in upper case", asset.TypeGitHub, "github.com/Owner/repository"},
		{"an e-mail address in upper case", asset.TypeEmail, "A@b.example.com"},
		{"punycode that decodes to ASCII", asset.TypeURL, "https://xn--a.example.com/x"},
		{"NUL", asset.TypePage, "a.example.com/\x00"},
		{"more than the maximum", asset.TypePage, "a.example.com/" + strings.Repeat("a", classify.MaxContent)},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			identity := asset.Identity{Type: test.kind, Canonical: test.canonical}
			require.Equal(t, []classify.Cover{{Identity: identity, Kind: classify.CoverExact}}, classify.Covering(identity))
		})
	}
}

func TestCovering_hostile(t *testing.T) {
	t.Parallel()
	longest := strings.Repeat("a.", 125) + "com" // 253 bytes
	for _, test := range []struct {
		name, content string
		want          int // covers
		last          string
	}{
		{"a host of 253 bytes and a long path", "https://" + longest + strings.Repeat("/b", 1000), 50, "a.com"},
		{"a host with 127 labels under no suffix", "https://" + strings.Repeat("a.", 126) + "a", 2, ""},
		{"a path of a thousand segments", "https://example.com" + strings.Repeat("/1234567", 1000), 42, ""},
		{"a path of slashes", "https://example.com" + strings.Repeat("/", 8000), 0, ""},
		{"a page whose URL is too long", "example.com/" + strings.Repeat("a", classify.MaxContent-12), 4, ""},
		{"labels that are longer than a page's", "https://" + strings.Repeat("a", 64) + ".example.com/x", 5, "example.com"},
		{"a host that is longer than a page's", "https://" + strings.Repeat("a.", 150) + "example.com", 10, "example.com"},
		{"every part at once", "http://a.b.c.d.e.f.g.h.example.com:8080/1/2/3/4/5/6/7?q#/r", 60, "example.com"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			result, err := classify.Classify(test.content)
			require.NoError(t, err)
			requireCoverLaws(t, result.Identity)
			covers := classify.Covering(result.Identity)
			if test.want != 0 {
				require.Len(t, covers, test.want)
			}
			if test.last != "" {
				require.Equal(t, asset.Identity{Type: asset.TypePage, Canonical: test.last}, covers[len(covers)-1].Identity)
			}
		})
	}
}

func FuzzCovering(f *testing.F) {
	for _, row := range readLines[coverRow](f, "testdata/covering.jsonl") {
		result, err := classify.Classify(row.Content)
		require.NoError(f, err)
		f.Add(string(result.Type), result.Canonical)
	}
	f.Fuzz(func(t *testing.T, kind, canonical string) {
		identity := asset.Identity{Type: asset.Type(kind), Canonical: canonical}
		if result, err := classify.Classify(canonical); err == nil {
			requireCoverLaws(t, result.Identity)
			if result.Identity == identity {
				return
			}
		}
		require.Len(t, classify.Covering(identity), 1)
	})
}
