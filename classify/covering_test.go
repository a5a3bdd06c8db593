package classify_test

import (
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/internal/suffix"
	"github.com/apguard/apguard/internal/test/testsize"
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
	// onlyBlocks reports whether covers that would decide can only block.
	onlyBlocks bool
}

func modelCovering(identity asset.Identity) []classify.Cover {
	m := &modelCovers{}
	m.add(identity, classify.CoverExact, classify.CoverDecides)
	switch canonical := identity.Canonical; identity.Type {
	case asset.TypeAddress: // see TestCovering_address
		return classify.Covering(identity)
	case asset.TypeEmail:
		domain := canonical[strings.IndexByte(canonical, '@')+1:]
		m.addHost(domain, classify.CoverDomain, classify.CoverWithholds)
		m.addParents(domain)
	case asset.TypeURL:
		m.addLink(canonical[strings.Index(canonical, "://")+len("://"):], false, true)
	case asset.TypePage:
		host, rest := cutBefore(canonical, ":80")
		port80 := !strings.ContainsAny(host, "/?#") && (rest == ":80" || strings.HasPrefix(rest, ":80/"))
		if port80 {
			canonical = host + rest[len(":80"):]
		}
		m.addLink(canonical, port80, true)
	default:
		m.addIdentifier(identity)
	}
	return m.covers
}

func (m *modelCovers) add(identity asset.Identity, kind classify.CoverKind, effect classify.CoverEffect) {
	if m.onlyBlocks {
		effect = classify.CoverBlocks
	}
	same := func(cover classify.Cover) bool { return cover.Identity == identity }
	if !slices.ContainsFunc(m.covers, same) && len(identity.Canonical) <= classify.MaxContent {
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
	m.addHost(host, classify.CoverPage, classify.CoverWithholds)
	m.addParents(host)
}

// modelTail is a path with a query and a route.
type modelTail struct {
	path, rest string
	// complete reports whether the tail is the whole one, or that without query and route.
	complete bool
	// both reports whether the rest has a query and a route.
	both bool
}

// modelTails returns the tails that cover the one of a link, the most specific first.
func modelTails(path, query, route string) []modelTail {
	tails := []modelTail{{path: path, rest: query + route, complete: true, both: query != "" && route != ""}}
	if tails[0].both {
		tails = append(tails, modelTail{path: path, rest: query}, modelTail{path: path, rest: route})
	}
	if query+route != "" {
		tails = append(tails, modelTail{path: path, complete: true})
	}
	segments := strings.Split(strings.TrimPrefix(path, "/"), "/")
	for n := min(6, len(segments)-1); n > 0; n-- {
		tails = append(tails, modelTail{path: "/" + strings.Join(segments[:n], "/") + "/"})
	}
	if path != "" && path != "/" {
		tails = append(tails, modelTail{})
	}
	return tails
}

// addLink adds the covers of a link without its scheme.
func (m *modelCovers) addLink(link string, port80, spelled bool) {
	authority, path, query, route := cutCanonical(link)
	host := authority
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		host = host[:i]
	}
	named, punctuated := modelNamed(host)
	twin := modelTwin(host)
	tails := modelTails(path, query, route)
	for i, tail := range tails {
		if i > 0 {
			if i == len(tails)-1 {
				m.addContent(host, path)
			}
			m.nextStep()
		}
		m.addForms(authority + tail.path + tail.rest)
		if tail.rest == "" {
			m.addForms(authority + withoutSlash(tail.path))
		}
		if len(tail.path) < len(path) {
			tail.path = withoutSlash(tail.path)
		}
		if twin != "" && (tail.rest == "" || tail.complete) {
			m.addForms(strings.Replace(authority, host, twin, 1) + tail.path + tail.rest)
		}
		if page, err := classify.Classify(host + ":80" + tail.path + tail.rest); port80 && err == nil && (tail.rest == "" || tail.complete) {
			m.add(page.Identity, classify.CoverPage, classify.CoverDecides)
		}
		if spelled && !punctuated {
			m.addSpellings(authority, path, tail, twin != "", port80)
		}
	}
	if len(tails) == 1 {
		m.addContent(host, path)
	}
	if host != authority {
		m.addHost(host, classify.CoverPage, classify.CoverBlocks)
	}
	m.addParents(host)
	if owner, isPages := strings.CutSuffix(host, ".github.io"); isPages {
		owner = owner[strings.LastIndexByte(owner, '.')+1:]
		if account, err := classify.Classify("https://github.com/" + owner); err == nil && account.Type == asset.TypeGitHub {
			m.nextStep()
			m.add(account.Identity, classify.CoverAccount, classify.CoverDecides)
		}
	}
	if punctuated {
		m.nextStep()
		m.onlyBlocks = true
		m.addLink(strings.Replace(link, host, named, 1), false, false)
	}
}

var contentID = regexp.MustCompile(`\b(Qm[1-9A-HJ-NP-Za-km-z]{44,}|z[1-9A-HJ-NP-Za-km-z]{48,}|b[A-Za-z2-7]{58,}|B[A-Z2-7]{58,}|F[0-9A-F]{50,})\b`)

// addContent adds the IPFS content that a link names.
func (m *modelCovers) addContent(host, path string) {
	id := contentID.FindString(host + "/" + regexp.MustCompile("%..").ReplaceAllString(path, "/"))
	if id == "" || sitesOf(asset.Identity{Type: asset.TypePage, Canonical: host}) != nil {
		return
	}
	before := m.onlyBlocks
	m.onlyBlocks = true
	m.nextStep()
	m.addForms("ipfs.io/ipfs/" + id)
	m.onlyBlocks = before
}

// modelNamed returns a host without the signs behind it, and reports whether there are any behind
// a public name.
func modelNamed(host string) (string, bool) {
	named := strings.TrimRight(host, "!\"$&'()*+,;=`{}~.")
	result, err := classify.Classify(named)
	if named == host || err != nil || strings.HasPrefix(host, "[") {
		return host, false
	}
	return named, result.Type == asset.TypePage || result.Type == asset.TypeMedium || result.Type == asset.TypeTelegram
}

// modelSigns are the signs of paths that RFC 3986 and the URL Standard permit.
const modelSigns = "!'()*$&+,:;=@[]"

// addSpellings adds the other spellings of a path.
func (m *modelCovers) addSpellings(authority, whole string, tail modelTail, isIP, port80 bool) {
	before := m.onlyBlocks
	m.onlyBlocks = true
	defer func() { m.onlyBlocks = before }()
	add := func(path string) {
		if !strings.HasPrefix(whole, path) {
			m.addForms(authority + path + tail.rest)
		}
	}
	plain := regexp.MustCompile("/+").ReplaceAllString(tail.path, "/")
	for _, sign := range modelSigns {
		plain = strings.ReplaceAll(plain, fmt.Sprintf("%%%02X", sign), string(sign))
	}
	if _, port := cutBefore(authority, ":"); tail.complete && tail.rest == "" && !port80 || port != "" || sitesOf(asset.Identity{Type: asset.TypePage, Canonical: authority}) == nil {
		add(plain)
	}
	if !tail.complete || isIP || sitesOf(asset.Identity{Type: asset.TypePage, Canonical: authority}) != nil || plain == whole && !strings.ContainsAny(plain, modelSigns) {
		return
	}
	if !tail.both {
		all, component := plain, plain
		for _, sign := range modelSigns {
			escape := fmt.Sprintf("%%%02X", sign)
			all = strings.ReplaceAll(all, string(sign), escape)
			if !strings.ContainsRune("!'()*", sign) {
				component = strings.ReplaceAll(component, string(sign), escape)
			}
		}
		add(all)
		add(component)
	}
	if tail.rest == "" {
		add("/" + plain)
	}
}

// modelTwin returns the IP address of the other version that is the same host, or "".
func modelTwin(host string) string {
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	if err != nil || ip.Is6() && !ip.Is4In6() {
		return ""
	}
	if ip.Is4In6() {
		return ip.Unmap().String()
	}
	b := ip.As4()
	return fmt.Sprintf("[::ffff:%x:%x]", int(b[0])<<8|int(b[1]), int(b[2])<<8|int(b[3]))
}

// withoutSlash returns a path without the slash at its end, unless it is only that.
func withoutSlash(path string) string {
	if short := strings.TrimSuffix(path, "/"); short != "" && short != "/" {
		return short
	}
	return path
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
		m.addHost(strings.Join(append(slices.Clone(labels[i:]), publicSuffix), "."), classify.CoverDomain, classify.CoverWithholds)
	}
}

// addHost adds the PAGE of a host and its URLs, or the platform identifier that it is.
func (m *modelCovers) addHost(host string, kind classify.CoverKind, urls classify.CoverEffect) {
	m.nextStep()
	for _, host := range []string{host, modelTwin(host)} {
		page, err := classify.Classify(host)
		https, httpsErr := classify.Classify("https://" + host)
		switch {
		case err == nil && page.Type == asset.TypePage:
			m.add(page.Identity, kind, classify.CoverDecides)
			m.add(https.Identity, classify.CoverURL, urls)
			m.add(asset.Identity{Type: asset.TypeURL, Canonical: "http://" + host}, classify.CoverURL, urls)
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
	segment := rapid.SampledFrom([]string{"a", "b", "", "1", "owner", "@name", "s", "in", "channels", "12345678901234567", "dQw4w9WgXcQ", "shorts", "repos", "%20", "..", "c:d", "ipfs", "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG", "a(1)", "%28", "bafybeie5nqv6kd3qnfjupgvz34woh3oksc3iau6abmyajn7qvtf6d2ho34"})
	return rapid.Custom(func(t *rapid.T) string {
		host := strings.Join(append(rapid.SliceOfN(label, 0, 6).Draw(t, "labels"), oneOf(t, "domain",
			"example.com", "example.co.uk", "example.github.io", "github.io", "co.uk", "github.com", "x.com", "medium.com", "t.me", "youtu.be", "music.youtube.com", "raw.githubusercontent.com", "api.github.com", "discord.gg", "mobile.twitter.com",
			"discord.com", "youtube.com", "linkedin.com", "a.compute.amazonaws.com", "foo.local", "localhost", "ipfs.io", "bafybeie5nqv6kd3qnfjupgvz34woh3oksc3iau6abmyajn7qvtf6d2ho34.ipfs.dweb.link", "1.2.3.4", "[::1]", "[::ffff:102:304]", "city.kobe.jp")), ".")
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
		{"a label outside ASCII", asset.TypeURL, "https://b\u00fccher.example.com/x"},
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
		{"a host of 253 bytes and a long path", "https://" + longest + strings.Repeat("/b", 1000), 66, "a.com"},
		{"a host with 127 labels under no suffix", "https://" + strings.Repeat("a.", 126) + "a", 2, ""},
		{"a path of a thousand segments", "https://example.com" + strings.Repeat("/1234567", 1000), 42, ""},
		{"a path of slashes", "https://example.com" + strings.Repeat("/", 8000), 0, ""},
		{"a page whose URL is too long", "example.com/" + strings.Repeat("a", classify.MaxContent-12), 4, ""},
		{"labels that are longer than a page's", "https://" + strings.Repeat("a", 64) + ".example.com/x", 7, "example.com"},
		{"a host that is longer than a page's", "https://" + strings.Repeat("a.", 150) + "example.com", 26, "example.com"},
		{"every part at once", "http://a.b.c.d.e.f.g.h.example.com:8080/1/2/3/4/5/6/7?q#/r", 78, "example.com"},
		{"every part at once with a slash", "http://a.b.c.d.e.f.g.h.example.com:8080/1/2/3/4/5/6/7/?q#/r", 81, "example.com"},
		{"every part at once below a name of Medium", "https://a.b.c.d.e.f.g.h.name.medium.com/1/2/3/4/5/6/7/?q#/r", 77, "medium.com"},
		{"every part at once below a name of Medium, of a page", "a.b.c.d.e.f.g.h.name.medium.com:80/1/2/3/4/5/6/7/?q#/r", 86, "medium.com"},
		{"every part at once of a page with the port of http", "a.b.c.d.e.f.g.h.example.com:80/1/2/3/4/5/6/7/?q#/r", 87, "example.com"},
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

// No link that is built of all parts that add covers has more than MaxCovers, and each has all of
// the model's.
func TestCovering_bound(t *testing.T) {
	t.Parallel()
	names := []string{
		"example.com", "owner.github.io", "x.com", "mobile.twitter.com", "www.instagram.com", "m.tiktok.com", "telegram.me", "name.t.me", "ptb.discord.com",
		"discord.gg", "name.medium.com", "m.github.com", "api.github.com", "raw.githubusercontent.com", "m.youtube.com", "music.youtube.com", "youtu.be",
		"www.youtube-nocookie.com", "de.linkedin.com", "m.twitch.tv", "player.twitch.tv", "ig.me", "1.2.3.4", "[::ffff:102:304]",
	}
	hosts := make([]string, 0, 2*len(names))
	for _, host := range names {
		hosts = append(hosts, host, strings.Repeat("a.", 9)+host)
	}
	ports := []string{"", ":80", ":443", ":8080", ",", ")."}
	firsts := []string{
		"/a", "/@name", "/i", "/intent/user", "/stories/name", "/comm/in/name", "/posts/name_x", "/channel/UC1234567890123456789012", "/watch", "/shorts/dQw4w9WgXcQ",
		"/embed/dQw4w9WgXcQ", "/embed/live_stream", "/channels/12345678901234567/12345678901234567", "/popout/name/chat", "/repos/owner/repo", "/s/name", "/joinchat/abcdefghijkl",
		"/ipfs/bafybeie5nqv6kd3qnfjupgvz34woh3oksc3iau6abmyajn7qvtf6d2ho34",
	}
	rests := []string{"/b/c/d/e/f/g/h/", "/b(1)/@c/d,e/f!/g=/h;/i'/", "/b%281%29/%40c/d%2Ce/f%21/g%3D/h%3B/i/", "//b(1)//@c//d,e//f!//g=//h;/"}
	tails := []string{"", "?v=dQw4w9WgXcQ", "?channel=a&channel=b", "?v=goodgoodgoo&v=evilevilevi#/r", "?screen_name=a&screen_name=b#/r", "?q#/r"}
	links := len(hosts) * len(ports) * len(firsts) * len(rests) * len(tails) * 3
	at := func(texts []string, i *int) string {
		text := texts[*i%len(texts)]
		*i /= len(texts)
		return text
	}
	most := 0
	for i, step := 0, testsize.Of(1009, 101, 7); i < links; i += step {
		n := i
		content := at([]string{"", "https://", "http://"}, &n) + at(hosts, &n) + at(ports, &n) + at(firsts, &n) + at(rests, &n) + at(tails, &n)
		result, err := classify.Classify(content)
		if err != nil {
			continue
		}
		covers := classify.Covering(result.Identity)
		require.LessOrEqual(t, len(covers), classify.MaxCovers, content)
		most = max(most, len(covers))
		if i%10 == 0 {
			requireCoverLaws(t, result.Identity)
		}
	}
	require.Greater(t, most, 100)
}

// A BLOCKED link of up to six segments covers everything below it.
func TestCovering_sixSegments(t *testing.T) {
	t.Parallel()
	for _, host := range []string{"www.linkedin.com", "x.com", "m.youtube.com", "name.medium.com", "discord.com", "a.b.c.d.e.f.g.h.example.com", "1.2.3.4", "github.com"} {
		for n := 1; n <= 6; n++ {
			blocked := "https://" + host + strings.Repeat("/n5", n)
			result, err := classify.Classify(blocked)
			require.NoError(t, err)
			for _, below := range []string{"/", "/z", "/z/", "/z/y/x/w/v/u?q", "?q#/r"} {
				link, err := classify.Classify(blocked + below)
				require.NoError(t, err)
				require.Contains(t, identitiesOf(classify.Covering(link.Identity)), result.Identity, blocked+below)
			}
		}
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
