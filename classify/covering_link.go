package classify

import (
	"slices"
	"strings"

	"github.com/apguard/apguard/asset"
)

// coverLink adds the covers of a URL or PAGE.
func (c *covering) coverLink(identity asset.Identity) {
	l, ok := parseCanonical(identity)
	if !ok {
		return
	}
	all, slashes := formsOf(l, identity), firstSlashes(l.path)
	forms := all[:]
	if checkPageHost(l.host) != "" {
		forms = all[1:]
	}
	_, c.onPlatform = platformAt(l.host.text)
	tails := coveringTails(l)
	c.covers = make([]Cover, 0, len(forms)*(len(tails)+2*len(slashes)-1)+1+maxCoveringParents)
	c.add(CoverExact, identity)
	for _, tail := range tails {
		c.addForms(forms, l.host, l.path, tail)
	}
	for _, slash := range slices.Backward(slashes[1:]) {
		c.addForms(forms, l.host, l.path[:slash+1], "")
		c.addForms(forms, l.host, l.path[:slash], "")
	}
	c.addForms(forms, l.host, "/", "")
	if l.port != "" {
		c.addHost(CoverPage, l.host)
	}
	c.addParents(l.host.text)
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

// formsOf returns the forms of a link, the PAGE first.
func formsOf(l link, identity asset.Identity) [3]linkForm {
	form := func(kind asset.Type, as CoverKind, scheme, prefix string) linkForm {
		// Another scheme has another default port.
		port, _ := parsePort(scheme, l.port)
		text := join(identity.Canonical, prefix, l.host.text, port, l.canonicalPath(), l.query, l.route)
		return linkForm{kind, as, text, len(prefix) + len(l.host.text) + len(port), port != ""}
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
			c.add(CoverAccount, asset.Identity{Type: kind, Canonical: canonical})
		} else {
			c.add(form.as, asset.Identity{Type: form.kind, Canonical: form.with(path, tail)})
		}
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
