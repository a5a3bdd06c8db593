package classify_test

import (
	"net/netip"
	"slices"
	"strconv"
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

// coverTexts returns each cover as step, kind, effect if it has one, type and canonical form.
func coverTexts(covers []classify.Cover) []string {
	texts := make([]string, len(covers))
	for i, cover := range covers {
		words := []string{strconv.Itoa(cover.Step), string(cover.Kind), cover.Effect.String(), string(cover.Type), cover.Canonical}
		texts[i] = strings.Join(slices.DeleteFunc(words, func(word string) bool { return word == "" }), " ")
	}
	return texts
}

// modelCovers applies the rules of Covering to texts. It classifies each of them.
type modelCovers struct {
	covers []classify.Cover
	step   int
	// hosts are the hosts whose pages cover, the nearest first.
	hosts []modelHost
}

type modelHost struct {
	host string
	kind classify.CoverKind
}

func modelCovering(identity asset.Identity) []classify.Cover {
	m := &modelCovers{}
	m.add(identity, classify.CoverExact, classify.CoverDecides)
	switch canonical := identity.Canonical; identity.Type {
	case asset.TypeAddress:
	case asset.TypeEmail:
		domain := canonical[strings.IndexByte(canonical, '@')+1:]
		m.hosts = append(m.hosts, modelHost{domain, classify.CoverDomain})
		m.addParents(domain)
	case asset.TypeURL:
		m.addLink(canonical[strings.Index(canonical, "://")+len("://"):])
	case asset.TypePage:
		authority, path, query, route := cutCanonical(canonical)
		if host, ok := strings.CutSuffix(authority, ":80"); ok {
			asHTTP, err := classify.Classify("http://" + host + path + query + route)
			if err == nil && asHTTP.Type != asset.TypeURL {
				m.add(asHTTP.Identity, classify.CoverAccount, classify.CoverDecides)
				m.addIdentifier(asHTTP.Identity)
				m.addPort80(host, path, query, route)
				break
			}
			m.addLink(host + path + query + route)
			m.addPort80(host, path, query, route)
			break
		}
		m.addLink(canonical)
	default:
		m.addIdentifier(identity)
	}
	m.addHosts()
	return m.covers
}

func (m *modelCovers) add(identity asset.Identity, kind classify.CoverKind, effect classify.CoverEffect) {
	same := func(cover classify.Cover) bool { return cover.Identity == identity }
	if !slices.ContainsFunc(m.covers, same) {
		m.covers = append(m.covers, classify.Cover{Identity: identity, Kind: kind, Step: m.step, Effect: effect})
	}
}

func (m *modelCovers) nextStep() { m.step = m.covers[len(m.covers)-1].Step + 1 }

// addIdentifier adds the identifiers that contain a platform identifier.
func (m *modelCovers) addIdentifier(identity asset.Identity) {
	host, path, _ := strings.Cut(identity.Canonical, "/")
	for i := strings.LastIndexByte(path, '/'); i >= 0; i = strings.LastIndexByte(path[:i], '/') {
		if result, err := classify.Classify(host + "/" + path[:i]); err == nil && result.Type == identity.Type {
			m.nextStep()
			m.add(result.Identity, classify.CoverAccount, classify.CoverDecides)
		}
	}
	m.hosts = append(m.hosts, modelHost{host, classify.CoverPage})
	m.addParents(host)
}

// addPort80 adds the pages with port 80 to the steps of the links without it, the shortest first.
// Only the page of the host makes a step of its own.
func (m *modelCovers) addPort80(host, path, query, route string) {
	tails := make([]string, 1, 17)
	for i := range min(6, strings.Count(path, "/")-1) {
		shorter := "/" + strings.Join(strings.Split(path, "/")[1:i+2], "/")
		tails = append(tails, shorter+"/", shorter)
	}
	for _, tail := range append(tails, path, strings.TrimSuffix(path, "/"), path+route, path+query) {
		page, err := classify.Classify(host + ":80" + tail)
		known := func(cover classify.Cover) bool { return cover.Identity == page.Identity }
		if err != nil || slices.ContainsFunc(m.covers, known) || len(m.covers)+len(m.hosts) >= classify.MaxCovers {
			continue
		}
		without, err := classify.Classify(host + tail)
		step := -1
		if tail == "" {
			step = m.covers[len(m.covers)-1].Step + 1
		}
		for _, cover := range m.covers {
			if err == nil && cover.Identity == without.Identity {
				step = cover.Step
			}
		}
		if step < 0 {
			continue
		}
		after := func(cover classify.Cover) bool { return cover.Step > step }
		at := slices.IndexFunc(append(m.covers, classify.Cover{Step: step + 1}), after)
		m.covers = slices.Insert(m.covers, at, classify.Cover{Identity: page.Identity, Kind: classify.CoverPage, Step: step})
	}
}

// addLink adds the covers of a link without its scheme.
func (m *modelCovers) addLink(link string) {
	authority, path, query, route := cutCanonical(link)
	m.addForms(authority + path + query + route)
	for _, tail := range []string{query, route} {
		if query != "" && route != "" {
			m.nextStep()
			m.addForms(authority + path + tail)
		}
	}
	if query+route != "" {
		m.nextStep()
		m.addForms(authority + path)
	}
	m.addWithoutSlash(authority, path)
	segments := strings.Split(strings.TrimPrefix(path, "/"), "/")
	for n := min(6, len(segments)-1); n > 0; n-- {
		m.nextStep()
		shorter := "/" + strings.Join(segments[:n], "/") + "/"
		m.addForms(authority + shorter)
		m.addWithoutSlash(authority, shorter)
	}
	if path != "" && path != "/" {
		m.nextStep()
	}
	m.addForms(authority)
	host := authority
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		host = host[:i]
		m.hosts = append(m.hosts, modelHost{host, classify.CoverPage})
	}
	if ip, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil && ip.Is4In6() {
		m.hosts = append(m.hosts, modelHost{ip.Unmap().String(), classify.CoverPage})
	}
	m.addParents(host)
}

// addWithoutSlash adds the forms of a link with a path other than / that ends in a slash.
func (m *modelCovers) addWithoutSlash(authority, path string) {
	if path := strings.TrimSuffix(path, "/"); path != "" && path != "/" {
		m.addForms(authority + path)
	}
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
func (m *modelCovers) addForms(link string) {
	https, httpsErr := classify.Classify("https://" + link)
	page, err := classify.Classify(link)
	switch {
	case err == nil && page.Type == asset.TypePage:
		m.add(page.Identity, classify.CoverPage, classify.CoverDecides)
	case err == nil && httpsErr == nil && page.Identity == https.Identity:
		m.add(page.Identity, classify.CoverAccount, classify.CoverDecides)
	}
	http, httpErr := classify.Classify("http://" + link)
	for _, form := range []struct {
		classify.Result
		err error
	}{{https, httpsErr}, {http, httpErr}} {
		switch {
		case form.err != nil:
		case form.Type == asset.TypeURL:
			m.add(form.Identity, classify.CoverURL, classify.CoverDecides)
		default:
			m.add(form.Identity, classify.CoverAccount, classify.CoverDecides)
		}
	}
}

func (m *modelCovers) addParents(host string) {
	publicSuffix, ok := suffix.FindPrivate(host)
	if !ok || host == publicSuffix {
		return
	}
	labels := strings.Split(strings.TrimSuffix(host, "."+publicSuffix), ".")
	for i := max(1, len(labels)-8); i < len(labels); i++ {
		m.hosts = append(m.hosts, modelHost{strings.Join(append(slices.Clone(labels[i:]), publicSuffix), "."), classify.CoverDomain})
	}
}

// addHosts adds the PAGE of each host, or the platform identifier that it is. The URLs of the
// last ones have room.
func (m *modelCovers) addHosts() {
	room := classify.MaxCovers - len(m.covers) - len(m.hosts)
	for i, h := range m.hosts {
		m.nextStep()
		page, err := classify.Classify(h.host)
		https, httpsErr := classify.Classify("https://" + h.host)
		known := func(cover classify.Cover) bool { return cover.Identity == page.Identity }
		switch {
		case err == nil && page.Type == asset.TypePage && slices.ContainsFunc(m.covers, known):
		case err == nil && page.Type == asset.TypePage && 2*(len(m.hosts)-i) > room:
			m.add(page.Identity, h.kind, classify.CoverBlocks)
		case err == nil && page.Type == asset.TypePage:
			m.add(page.Identity, h.kind, classify.CoverDecides)
			m.add(https.Identity, classify.CoverURL, classify.CoverWithholds)
			m.add(asset.Identity{Type: asset.TypeURL, Canonical: "http://" + h.host}, classify.CoverURL, classify.CoverWithholds)
		case httpsErr == nil && https.Type != asset.TypeURL:
			m.add(https.Identity, classify.CoverAccount, classify.CoverDecides)
		}
	}
}

// requireCoverLaws requires the laws of Covering for an asset.
func requireCoverLaws(t require.TestingT, of asset.Identity) {
	covers := classify.Covering(of)
	if sites := sitesOf(of); sites == nil {
		require.Equal(t, modelCovering(of), covers, "%v", of)
	} else {
		requireAliasLaws(t, of, covers, sites)
	}
	require.LessOrEqual(t, len(covers), classify.MaxCovers)
	seen := map[asset.Identity]bool{}
	for i, cover := range covers {
		require.Equal(t, i == 0, cover.Kind == classify.CoverExact)
		if i > 0 {
			require.Contains(t, []int{0, 1}, cover.Step-covers[i-1].Step, "%v: %v", of, cover)
		}
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
	segment := rapid.SampledFrom([]string{"a", "b", "", "1", "owner", "@name", "s", "in", "channels", "12345678901234567", "dQw4w9WgXcQ", "shorts", "repos", "%20", "..", "c:d"})
	return rapid.Custom(func(t *rapid.T) string {
		host := strings.Join(append(rapid.SliceOfN(label, 0, 6).Draw(t, "labels"), oneOf(t, "domain",
			"example.com", "example.co.uk", "example.github.io", "github.io", "co.uk", "github.com", "x.com", "medium.com", "t.me", "youtu.be", "music.youtube.com", "raw.githubusercontent.com", "api.github.com", "discord.gg", "mobile.twitter.com",
			"discord.com", "youtube.com", "linkedin.com", "a.compute.amazonaws.com", "foo.local", "localhost", "1.2.3.4", "[::1]", "[::ffff:102:304]", "city.kobe.jp")), ".")
		if host[len(host)-1] == ']' {
			host = host[strings.IndexByte(host, '['):]
		}
		link := oneOf(t, "scheme", "http://", "https://", "https://", "") + host +
			oneOf(t, "port", "", "", "", ":80", ":443", ":8080", ":0")
		for _, segment := range rapid.SliceOfN(segment, 0, 9).Draw(t, "path") {
			link += "/" + segment
		}
		return link + oneOf(t, "query", "", "", "?", "?a=/b", "?v=dQw4w9WgXcQ&a", "?x:y://z#t") + oneOf(t, "fragment", "", "", "#top", "#/route?a", "#!b")
	})
}

// accountsOnPort80 draws links with port 80 to accounts, invitations and repositories of platforms.
func accountsOnPort80() *rapid.Generator[string] {
	host := rapid.SampledFrom([]string{"linkedin.com:80/in", "canary.discord.com:80/invite", "discord.gg:80", "x.com:80", "github.com:80", "t.me:80", "youtube.com:80/channel", "medium.com:80"})
	name := rapid.SampledFrom([]string{"gophers", "@gophers", "UC_x5XG1OV2P6uZZ5FSM9Ttw"})
	tail := rapid.SampledFrom([]string{"", "/", "/status/20", "/repository", "?a", "#b"})
	return rapid.Custom(func(t *rapid.T) string {
		return host.Draw(t, "host") + "/" + name.Draw(t, "name") + tail.Draw(t, "tail")
	})
}

func TestCovering_laws(t *testing.T) {
	t.Parallel()
	for _, of := range append(allContents(t), contents{"links", links()}, contents{"accounts on port 80", accountsOnPort80()}) {
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
		{"a host of 253 bytes and a long path", "https://" + longest + strings.Repeat("/b", 1000), 64, "a.com"},
		{"a host with 127 labels under no suffix", "https://" + strings.Repeat("a.", 126) + "a", 2, ""},
		{"a path of a thousand segments", "https://example.com" + strings.Repeat("/1234567", 1000), 42, ""},
		{"a path of slashes", "https://example.com" + strings.Repeat("/", 8000), 0, ""},
		{"a page whose URL is too long", "example.com/" + strings.Repeat("a", classify.MaxContent-12), 4, ""},
		{"labels that are longer than a page's", "https://" + strings.Repeat("a", 64) + ".example.com/x", 7, "example.com"},
		{"a host that is longer than a page's", "https://" + strings.Repeat("a.", 150) + "example.com", 26, "example.com"},
		{"every part at once", "http://a.b.c.d.e.f.g.h.example.com:8080/1/2/3/4/5/6/7?q#/r", 64, "example.com"},
		{"every part at once with a slash", "http://a.b.c.d.e.f.g.h.example.com:8080/1/2/3/4/5/6/7/?q#/r", 63, "example.com"},
		{"every part at once below a name of Medium", "https://a.b.c.d.e.f.g.h.name.medium.com/1/2/3/4/5/6/7/?q#/r", 63, "medium.com"},
		{"every part at once below a name of Medium, of a page", "a.b.c.d.e.f.g.h.name.medium.com:80/1/2/3/4/5/6/7/?q#/r", 64, "medium.com"},
		{"every part at once of a page with the port of http", "a.b.c.d.e.f.g.h.example.com:80/1/2/3/4/5/6/7/?q#/r", 64, "example.com"},
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
				pages := slices.DeleteFunc(covers, func(cover classify.Cover) bool { return cover.Type != asset.TypePage })
				require.Equal(t, test.last, pages[len(pages)-1].Canonical)
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
