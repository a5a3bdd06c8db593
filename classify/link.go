package classify

import (
	"strings"

	"github.com/apguard/apguard/asset"
)

// link is a parsed link in its canonical parts. User information is gone.
type link struct {
	// scheme is "http" or "https".
	scheme string
	host   host
	// port is a colon and the port, or "" for the scheme's default.
	port string
	// path begins with a slash.
	path string
	// tail is path and query, and the fragment if that is a route; "" when it
	// would be a lone slash.
	tail string
}

// withScheme returns the canonical form of the link that the text was.
func (l link) withScheme(text string) string {
	return join(text, l.scheme, "://", l.host.text, l.port, l.tail)
}

// withoutScheme returns the canonical form of the link that the text was
// without its https://.
func (l link) withoutScheme(text string) string {
	return join(text, l.host.text, l.port, l.tail)
}

// join puts the parts together. When the text is that already, it costs no
// memory.
func join(text string, parts ...string) string {
	if isJoined(text, parts) {
		return text
	}
	return strings.Join(parts, "")
}

func isJoined(text string, parts []string) bool {
	for _, part := range parts {
		if !strings.HasPrefix(text, part) {
			return false
		}
		text = text[len(part):]
	}
	return text == ""
}

// tryWebLink takes links with http or https. Slashes and backslashes after the
// colon are alike, and their number does not matter, as in browsers.
func tryWebLink(s *subject) verdict {
	scheme, rest, ok := strings.Cut(s.text, ":")
	if !ok || !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
		return notMine(ReasonUnrecognised)
	}
	afterSlashes := strings.TrimLeft(rest, `/\`)
	if afterSlashes == rest {
		return refused(ReasonMissingSlashes)
	}
	l, reason := parseLink(strings.ToLower(scheme), afterSlashes)
	if reason != "" {
		return refused(reason)
	}
	if kind, canonical, ok := identify(l); ok {
		return mine(kind, canonical)
	}
	return mine(asset.TypeURL, l.withScheme(s.text))
}

// tryOtherScheme refuses links with any other scheme (RFC 3986, section 3.1).
func tryOtherScheme(s *subject) verdict {
	scheme, _, ok := strings.Cut(s.text, "://")
	if !ok || !isScheme(scheme) {
		return notMine(ReasonUnrecognised)
	}
	return refused(ReasonUnknownScheme)
}

func isScheme(text string) bool {
	return text != "" && isLetter(text[0]) && isASCIIName(text, "+-.")
}

// tryPlatformLink takes links to a platform's identifier without a scheme.
func tryPlatformLink(s *subject) verdict {
	l, reason := s.bareLink()
	if reason != "" {
		return notMine(reason)
	}
	if kind, canonical, ok := identify(l); ok {
		return mine(kind, canonical)
	}
	return notMine(ReasonUnrecognised)
}

// parseBareLink reads a text as a link that lacks its https://. It may have no
// user information: name@host is an e-mail address.
func parseBareLink(text string) (link, Reason) {
	if isASCIIName(text, "_@") || text[0] == '/' || text[0] == '\\' {
		return link{}, ReasonUnrecognised
	}
	authority, _ := cutAuthority(text)
	switch {
	case hasScheme(authority):
		return link{}, ReasonUnknownScheme
	case strings.Contains(authority, "@"):
		return link{}, ReasonUserInfo
	}
	return parseLink("https", text)
}

// hasScheme reports whether the authority of a text begins with a scheme that no
// slashes follow, as that of mailto:bob@example.com. A name with a dot is rather a
// host, and so is one with a number after its colon.
func hasScheme(authority string) bool {
	scheme, rest, ok := strings.Cut(authority, ":")
	if !ok || !isScheme(scheme) || strings.Contains(scheme, ".") {
		return false
	}
	return rest == "" || !isDigits(rest)
}
