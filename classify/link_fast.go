package classify

import (
	"net/netip"
	"strings"
)

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
