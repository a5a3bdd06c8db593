package classify

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/apguard/apguard/asset"
)

// coverLink adds the covers of a URL or PAGE. If port80 is set, an address bar opens the URL for
// a content with port 80 and without a scheme.
func (c *covering) coverLink(exact Cover, port80 bool) {
	l, ok := parseCanonical(exact.Identity)
	if !ok {
		return
	}
	if exact.Type == asset.TypePage && l.port == ":80" {
		l.scheme, l.port, port80 = "http", "", true
		if _, _, ok := identify(l); ok {
			c.coverIdentifierPage(exact, l)
			return
		}
	}
	c.coverForms(exact, l, port80)
}

// coverIdentifierPage adds the covers of a link with port 80 and without a scheme that browsers
// open as a platform identifier.
func (c *covering) coverIdentifierPage(exact Cover, l link) {
	c.add(exact)
	if kind, canonical, ok := identify(l); ok {
		hosts := c.coverContainers(Cover{Identity: asset.Identity{Type: kind, Canonical: canonical}, Kind: CoverAccount})
		c.addPort80(l, len(hosts))
		c.addHosts(hosts)
	}
}

// addPort80 adds the PAGE with port 80 of a link, and of each link that covers it, to the step of
// that link. If there is no room for all, shorter links come first.
func (c *covering) addPort80(l link, hosts int) {
	path := link{host: l.host, path: l.path}
	links := make([]link, 0, 2+2*maxCoveringSegments+4)
	links = append(links, l, link{host: l.host, path: "/"})
	for _, slash := range firstSlashes(l.path)[1:] {
		shorter := link{host: l.host, path: l.path[:slash+1]}
		links = append(links, shorter, shorter.withoutSlash())
	}
	links = append(links, path, path.withoutSlash(), link{host: l.host, path: l.path, route: l.route},
		link{host: l.host, path: l.path, query: l.query})
	for _, l := range links {
		if len(c.covers)+hosts >= MaxCovers {
			return
		}
		same := asset.Identity{Type: asset.TypePage, Canonical: l.withoutScheme("")}
		page := asset.Identity{Type: asset.TypePage, Canonical: l.host.text + ":80" + same.Canonical[len(l.host.text):]}
		if c.has(page) || len(page.Canonical) > MaxContent {
			continue
		}
		if kind, canonical, ok := identify(l); ok {
			same = asset.Identity{Type: kind, Canonical: canonical}
		}
		at := slices.IndexFunc(c.covers, func(cover Cover) bool { return cover.Identity == same })
		if at < 0 {
			if l.path == "/" {
				c.nextStep()
				c.add(Cover{Identity: page, Kind: CoverPage})
			}
			continue
		}
		step := c.covers[at].Step
		for at < len(c.covers) && c.covers[at].Step == step {
			at++
		}
		c.covers = slices.Insert(c.covers, at, Cover{Identity: page, Kind: CoverPage, Step: step})
	}
}

// coverForms adds the covers of a link.
func (c *covering) coverForms(exact Cover, l link, port80 bool) {
	if l.port == "" && mayHaveAliases(l.host.text) {
		c.coverPlatform(exact, l, port80)
		return
	}
	var backing [maxCoveringHosts]coveringHost
	hosts, tails, slashes := coveringHostsOf(backing[:0], l), coveringTails(l), firstSlashes(l.path)
	c.texts.Grow(len("https://") + len(exact.Canonical) + len(hosts)*2*(len("https://")+len(l.host.text)))
	all := c.formsOf(l, exact.Canonical)
	forms := all[:]
	if checkPageHost(l.host) != "" {
		forms = all[1:]
	}
	_, c.onPlatform = platformAt(l.host.text)
	c.distinct = !c.onPlatform && l.port == "" && !strings.Contains(l.path, "//")
	links := len(tails) + 2*(len(slashes)-1)
	if !strings.HasSuffix(l.path, "/") {
		links++
	}
	c.covers = make([]Cover, 0, min(len(forms)*links+3*len(hosts), MaxCovers))
	c.add(exact)
	for i, tail := range tails {
		if i > 0 {
			c.nextStep()
		}
		c.addForms(forms, l.host, l.path, tail)
		if tail == "" {
			c.addWithoutSlash(forms, l.host, l.path)
		}
	}
	for _, slash := range slices.Backward(slashes[1:]) {
		if slash < len(l.path)-1 {
			c.nextStep()
			c.addForms(forms, l.host, l.path[:slash+1], "")
			c.addWithoutSlash(forms, l.host, l.path[:slash+1])
		}
	}
	if l.path != "/" {
		c.nextStep()
		c.addForms(forms, l.host, "/", "")
	}
	if port80 {
		c.addPort80(l, len(hosts))
	}
	c.addHosts(hosts)
}

// coveringHostsOf appends the hosts whose pages cover a link.
func coveringHostsOf(hosts []coveringHost, l link) []coveringHost {
	if l.port != "" {
		hosts = append(hosts, coveringHost{l.host, CoverPage})
	}
	if ip, ok := mappedIPv4(l.host); ok {
		hosts = append(hosts, coveringHost{ip, CoverPage})
	}
	return appendParents(hosts, l.host.text)
}

// mappedIPv4 returns the IPv4 address that an IPv6 address maps.
func mappedIPv4(h host) (host, bool) {
	if h.kind != hostIPv6 || !strings.HasPrefix(h.text, "[::ffff:") {
		return host{}, false
	}
	ip, err := netip.ParseAddr(h.text[1 : len(h.text)-1])
	return host{ip.Unmap().String(), hostIPv4}, err == nil && ip.Is4In6()
}

// coveringTails returns the tails of a link that cover it: the query and the route, or less.
func coveringTails(l link) []string {
	switch {
	case l.query != "" && l.route != "":
		return []string{l.query + l.route, l.query, l.route, ""}
	case l.query != "" || l.route != "":
		return []string{l.query + l.route, ""}
	default:
		return []string{""}
	}
}

// parseCanonical parses a URL or PAGE. It reports false for an identity that Classify
// does not return.
func parseCanonical(identity asset.Identity) (link, bool) {
	var (
		text   = identity.Canonical
		l      link
		reason Reason
	)
	if identity.Type == asset.TypePage {
		if l, reason = parseBareLink(text); reason != "" || checkPageHost(l.host) != "" || l.withoutScheme(text) != text {
			return link{}, false
		}
	} else {
		scheme, rest, _ := strings.Cut(text, "://")
		if scheme != "http" && scheme != "https" {
			return link{}, false
		}
		if l, reason = parseLink(scheme, rest); reason != "" || l.withScheme(text) != text {
			return link{}, false
		}
	}
	_, _, ok := identify(l)
	return l, !ok
}

// linkForm is a link as one of the assets that it can be: a PAGE, or a URL with either
// scheme.
type linkForm struct {
	kind asset.Type
	as   CoverKind
	// text is the canonical form. The path begins at pathAt.
	text    string
	pathAt  int
	hasPort bool
}

// formsOf returns the forms of a link, the PAGE first. The text is a canonical form.
func (c *covering) formsOf(l link, text string) [3]linkForm {
	form := func(kind asset.Type, as CoverKind, scheme, prefix string) linkForm {
		// Another scheme has another default port.
		port, _ := parsePort(scheme, l.port)
		form := c.join(text, prefix, l.host.text, port, l.canonicalPath(), l.query, l.route)
		return linkForm{kind, as, form, len(prefix) + len(l.host.text) + len(port), port != ""}
	}
	https := form(asset.TypeURL, CoverURL, "https", "https://")
	page := https // which has the same default port
	page.kind, page.as = asset.TypePage, CoverPage
	page.text, page.pathAt = https.text[len("https://"):], https.pathAt-len("https://")
	return [...]linkForm{page, https, form(asset.TypeURL, CoverURL, "http", "http://")}
}

// with returns the canonical form with another path, which is a prefix of the path, and
// another tail, which is the query and the route or less.
func (f linkForm) with(path, tail string) string {
	if tail == "" && path == "/" {
		path = ""
	}
	if tail == "" {
		return f.text[:f.pathAt+len(path)]
	}
	return join(f.text, f.text[:f.pathAt], path, tail)
}

// addForms adds the forms of the link with another path and tail. A form may be a
// platform identifier.
func (c *covering) addForms(forms []linkForm, h host, path, tail string) {
	var (
		kind      asset.Type
		canonical string
		ok        bool
	)
	if c.onPlatform {
		kind, canonical, ok = identify(link{host: h, path: path})
	}
	for _, form := range forms {
		if ok && !form.hasPort {
			c.add(Cover{Identity: asset.Identity{Type: kind, Canonical: canonical}, Kind: CoverAccount})
		} else {
			c.add(Cover{Identity: asset.Identity{Type: form.kind, Canonical: form.with(path, tail)}, Kind: form.as})
		}
	}
}

// addWithoutSlash adds the forms of the link with a path that lacks the slash at its end. The
// bare host is a step of its own.
func (c *covering) addWithoutSlash(forms []linkForm, h host, path string) {
	if path, ok := strings.CutSuffix(path, "/"); ok && len(path) > 1 {
		c.addForms(forms, h, path, "")
	}
}

// firstSlashes returns the positions of the slashes that end the bare host and each of the
// first maxCoveringSegments segments of a path.
func firstSlashes(path string) []int {
	slashes := make([]int, 0, 1+maxCoveringSegments)
	for i := 0; i < len(path) && len(slashes) < cap(slashes); i++ {
		if path[i] == '/' {
			slashes = append(slashes, i)
		}
	}
	return slashes
}
