package classify

import (
	"net/netip"
	"strconv"
	"strings"
)

// parseLink parses the part of a link after the slashes of its scheme.
func parseLink(scheme, text string) (link, Reason) {
	if l, ok := parsePlainLink(scheme, text); ok {
		return l, ""
	}
	return parseAnyLink(scheme, text)
}

// parseAnyLink is parseLink without the fast path.
func parseAnyLink(scheme, text string) (link, Reason) {
	return parseLinkOn(scheme, text, parseHost)
}

// parseLinkOn is parseAnyLink with another parser of hosts. The parsers of Go that follow the
// standard are quadratic in the length of user information and paths, misread some hosts, and
// depend on the version of Go.
func parseLinkOn(scheme, text string, parseHost func(text string) (host, Reason)) (link, Reason) {
	authority, rest := cutAuthority(text)
	hostText, portText := cutPort(authority[strings.LastIndexByte(authority, '@')+1:])
	path, rest := cutPath(rest)
	query, fragment := cutQuery(rest)

	host, reason := parseHost(hostText)
	switch {
	case reason != "" && isDefanged(authority):
		return link{}, ReasonDefanged
	case reason != "":
		return link{}, reason
	}
	port, ok := parsePort(scheme, portText)
	if !ok {
		return link{}, ReasonInvalidPort
	}
	l := link{scheme: scheme, host: host, port: port, path: encodePart(resolvePath(path), inPath)}
	if query != "?" {
		l.query = encodePart(query, inQuery)
	}
	if isRoute(fragment) {
		l.route = encodePart(fragment, inFragment)
	}
	return l, ""
}

// encodePart percent-encodes a part of a link as the standard does, except the characters
// that it keeps, and normalizes the result.
func encodePart(text string, kept *byteSet) string {
	return normalizeEscapes(percentEncode(text, kept))
}

// isRoute reports whether a fragment is a route of a single-page application.
func isRoute(fragment string) bool {
	return strings.HasPrefix(fragment, "#/") || strings.HasPrefix(fragment, "#!")
}

// cutAuthority splits the part after a scheme's slashes before the path, query or
// fragment.
func cutAuthority(text string) (authority, rest string) {
	if i := strings.IndexAny(text, `/\?#`); i >= 0 {
		return text[:i], text[i:]
	}
	return text, ""
}

// cutPort splits an authority without user information before the colon of its
// port. Colons before a closing bracket belong to the host. The opening one may be
// percent-encoded for Chromium.
func cutPort(authority string) (hostText, port string) {
	from := strings.LastIndexByte(authority, ']') + 1
	if i := strings.IndexByte(authority[from:], ':'); i >= 0 {
		return authority[:from+i], authority[from+i:]
	}
	return authority, ""
}

// cutPath splits the part after an authority before the query or fragment.
func cutPath(text string) (path, rest string) {
	if i := strings.IndexAny(text, "?#"); i >= 0 {
		return text[:i], text[i:]
	}
	return text, ""
}

// cutQuery splits the part after a path before the fragment.
func cutQuery(text string) (query, fragment string) {
	if i := strings.IndexByte(text, '#'); i >= 0 {
		return text[:i], text[i:]
	}
	return text, ""
}

// resolvePath resolves the dot segments of a path and turns backslashes into
// slashes. The result begins with a slash.
func resolvePath(path string) string {
	path = strings.ReplaceAll(path, `\`, "/")
	var segments []string
	for segment := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		switch dotsOf(segment) {
		case 2:
			segments = segments[:max(0, len(segments)-1)]
		case 0:
			segments = append(segments, segment)
		}
	}
	// A dot segment at the end leaves an empty one.
	if dotsOf(path[strings.LastIndexByte(path, '/')+1:]) > 0 {
		segments = append(segments, "")
	}
	return "/" + strings.Join(segments, "/")
}

// dotsOf returns 1 or 2 for a segment of as many dots, percent-encoded or not, and 0
// for any other segment.
func dotsOf(segment string) int {
	dots := 0
	for segment != "" {
		switch {
		case segment[0] == '.':
			segment = segment[1:]
		case len(segment) >= 3 && strings.EqualFold(segment[:3], "%2e"):
			segment = segment[3:]
		default:
			return 0
		}
		if dots++; dots > 2 {
			return 0
		}
	}
	return dots
}

// parsePort returns the canonical form of a port with its colon: without leading zeros,
// and empty for the scheme's default. It reports false unless the port is a number from
// 0 to 65535 or empty.
func parsePort(scheme, port string) (string, bool) {
	digits := strings.TrimPrefix(port, ":")
	if digits == "" {
		return "", true
	}
	number, err := strconv.ParseUint(digits, 10, 16)
	switch {
	case err != nil:
		return "", false
	case scheme == "http" && number == 80, scheme == "https" && number == 443:
		return "", true
	case digits[0] == '0':
		return ":" + strconv.FormatUint(number, 10), true
	}
	return port, true
}

// parsePlainLink is parseLink for common links, without the library. It reports false
// for a link that may need more work, valid or not.
func parsePlainLink(scheme, text string) (link, bool) {
	hostEnd := plainInHost.span(text)
	host, ok := plainHost(text[:hostEnd])
	if !ok {
		return link{}, false
	}
	port, rest, ok := cutPlainPort(scheme, text[hostEnd:])
	if !ok {
		return link{}, false
	}
	pathEnd := plainInPath.span(rest)
	path, rest := rest[:pathEnd], rest[pathEnd:]
	switch {
	case path == "":
		path = "/"
	case path[0] != '/', hasDotSegment(path):
		return link{}, false
	}
	query, fragment := cutQuery(rest)
	l := link{scheme: scheme, host: host, port: port, path: normalizeEscapes(path)}
	switch {
	case query == "", query == "?":
	case query[0] != '?', inQuery.span(query) < len(query):
		return link{}, false
	default:
		l.query = normalizeEscapes(query)
	}
	if isRoute(fragment) {
		l.route = normalizeEscapes(fragment)
		return l, 1+inFragment.span(fragment[1:]) == len(fragment)
	}
	return l, true
}

// plainHost returns the host for a text of letters, digits, hyphens, underscores and
// dots. It reports false for a trailing dot, and a number other than an IPv4 address of four
// decimal parts.
func plainHost(text string) (host, bool) {
	last := strings.LastIndexByte(text, '.') + 1
	if last == len(text) {
		return host{}, false
	}
	if isDigit(text[last]) {
		_, err := netip.ParseAddr(text)
		return host{text, hostIPv4}, err == nil
	}
	return host{strings.ToLower(text), hostDomain}, true
}

// cutPlainPort cuts off the port after a host.
func cutPlainPort(scheme, text string) (port, rest string, ok bool) {
	end := 0
	if strings.HasPrefix(text, ":") {
		end++
		for end < len(text) && isDigit(text[end]) {
			end++
		}
	}
	port, ok = parsePort(scheme, text[:end])
	return port, text[end:], ok
}

func hasDotSegment(path string) bool {
	for segment := range strings.SplitSeq(path, "/") {
		if dotsOf(segment) > 0 {
			return true
		}
	}
	return false
}

// The characters that browsers copy unchanged in the parts of a link.
var (
	plainInHost = bytesThat(func(c byte) bool {
		return isLetter(c) || isDigit(c) || c == '-' || c == '_' || c == '.'
	})
	plainInPath = visibleBut("\"#<>?^`{|}\\")
)

// byteSet is a set of bytes.
type byteSet [256]bool

func bytesThat(belong func(c byte) bool) *byteSet {
	var set byteSet
	for c := range set {
		set[c] = belong(byte(c))
	}
	return &set
}

// visibleBut returns the visible ASCII characters without the given ones.
func visibleBut(signs string) *byteSet {
	return bytesThat(func(c byte) bool {
		return ' ' < c && c < 0x7f && strings.IndexByte(signs, c) < 0
	})
}

// span returns the length of the longest prefix of the text in the set.
func (set *byteSet) span(text string) int {
	for i := range len(text) {
		if !set[text[i]] {
			return i
		}
	}
	return len(text)
}
