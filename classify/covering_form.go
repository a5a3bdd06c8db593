package classify

import (
	"strings"

	"github.com/apguard/apguard/asset"
)

// parseCanonical parses a URL or PAGE. A PAGE with port 80 is the http link that an address bar
// opens for it. The function reports false for an identity that Classify does not return.
func parseCanonical(identity asset.Identity) (l link, port80, ok bool) {
	var (
		text   = identity.Canonical
		reason Reason
	)
	if identity.Type == asset.TypePage {
		if l, reason = parseBareLink(text); reason != "" || checkPageHost(l.host) != "" || l.withoutScheme(text) != text {
			return link{}, false, false
		}
	} else {
		scheme, rest, _ := strings.Cut(text, "://")
		if scheme != "http" && scheme != "https" {
			return link{}, false, false
		}
		if l, reason = parseLink(scheme, rest); reason != "" || l.withScheme(text) != text {
			return link{}, false, false
		}
	}
	if _, _, named := identify(l); named {
		return link{}, false, false
	}
	if identity.Type == asset.TypePage && l.port == ":80" {
		l.scheme, l.port, port80 = "http", "", true
	}
	return l, port80, true
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
