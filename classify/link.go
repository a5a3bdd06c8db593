package classify

import (
	"strings"

	"github.com/apguard/apguard/asset"
)

// link is a parsed link in its canonical parts, without user information.
type link struct {
	// scheme is "http" or "https".
	scheme string
	host   host
	// port includes its colon. It is "" for the scheme's default.
	port string
	// path begins with a slash.
	path string
	// query includes its question mark. It is "" if nothing follows.
	query string
	// route is the fragment with its number sign, or "" if that is not a route.
	route string
}

// withScheme returns the canonical form with the scheme. The text is the content that
// the link was parsed from.
func (l link) withScheme(text string) string {
	return join(text, l.scheme, "://", l.host.text, l.port, l.canonicalPath(), l.query, l.route)
}

// withoutScheme returns the canonical form without the scheme. The text is the content
// that the link was parsed from.
func (l link) withoutScheme(text string) string {
	return join(text, l.host.text, l.port, l.canonicalPath(), l.query, l.route)
}

// canonicalPath returns the path, or "" for a lone slash at the end of the link.
func (l link) canonicalPath() string {
	if l.path == "/" && l.query == "" && l.route == "" {
		return ""
	}
	return l.path
}

// join concatenates the parts. It returns the text itself if that is the result, to
// save an allocation.
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

// tryWebLink accepts http and https links. As in browsers, any number of slashes and
// backslashes may follow the colon.
func tryWebLink(in *input) outcome {
	scheme, rest, ok := strings.Cut(in.text, ":")
	if !ok || !isWebScheme(scheme) {
		return pass(ReasonUnrecognized)
	}
	afterSlashes := strings.TrimLeft(rest, `/\`)
	if afterSlashes == rest {
		return reject(ReasonMissingSlashes)
	}
	l, reason := parseLink(strings.ToLower(scheme), afterSlashes)
	if reason != "" {
		return reject(reason)
	}
	if kind, canonical, ok := identify(l); ok {
		return accept(kind, canonical)
	}
	return accept(asset.TypeURL, l.withScheme(in.text))
}

func isWebScheme(text string) bool {
	return strings.EqualFold(text, "http") || strings.EqualFold(text, "https")
}

// tryOtherScheme rejects links with any other scheme (RFC 3986, section 3.1), other than those of
// payment links.
func tryOtherScheme(in *input) outcome {
	scheme, _, ok := strings.Cut(in.text, "://")
	switch {
	case !ok || !isScheme(scheme), isPaymentLink(scheme):
		return pass(ReasonUnrecognized)
	case isDefangedScheme(scheme):
		return reject(ReasonDefanged)
	}
	return reject(ReasonUnknownScheme)
}

func isScheme(text string) bool {
	return text != "" && isLetter(text[0]) && isASCIIName(text, "+-.")
}

// tryPlatformLink accepts links to a platform identifier without a scheme.
func tryPlatformLink(in *input) outcome {
	l, reason := in.bareLink()
	if reason != "" {
		return pass(reason)
	}
	if kind, canonical, ok := identify(l); ok {
		return accept(kind, canonical)
	}
	return pass(ReasonUnrecognized)
}

// parseBareLink parses a text as an https link without its scheme. The link must not
// contain user information, because name@host is an e-mail address.
func parseBareLink(text string) (link, Reason) {
	if isASCIIName(text, "_@") || text[0] == '/' || text[0] == '\\' {
		return link{}, ReasonUnrecognized
	}
	authority, _ := cutAuthority(text)
	switch {
	case isDefanged(authority):
		return link{}, ReasonDefanged
	case hasScheme(authority):
		return link{}, ReasonUnknownScheme
	case strings.Contains(authority, "@"):
		return link{}, ReasonUserInfo
	}
	return parseLink("https", text)
}

// hasScheme reports whether an authority begins with a scheme without slashes, as in
// mailto:bob@example.com. A name with a dot, or with a number after its colon, is a
// host.
func hasScheme(authority string) bool {
	scheme, rest, ok := strings.Cut(authority, ":")
	if !ok || !isScheme(scheme) || strings.Contains(scheme, ".") {
		return false
	}
	return rest == "" || !isDigits(rest)
}
