package classify

import (
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

var (
	// parser is the URL parser of the WHATWG URL Standard.
	parser = whatwg.NewParser()
	// pathEncodeSet is what is percent-encoded in a path. The Standard has added ^
	// since the library was written.
	pathEncodeSet = whatwg.PathPercentEncodeSet.Set('^')
)

// standIn is the host that the library is shown in place of the real one.
const standIn = "h"

// parseLink parses what follows the slashes of a scheme, as browsers do.
//
// The library is given the port, the query and the fragment. User information
// and the path are kept from it, because it spends time on them that grows with
// the square of their length, and the host, because it misreads some.
func parseLink(scheme, text string) (link, Reason) {
	authority, rest := cutAuthority(text)
	authority = authority[strings.LastIndexByte(authority, '@')+1:]
	hostText, port := cutPort(authority)
	path, rest := cutPath(rest)

	host, reason := parseHost(hostText)
	if reason != "" {
		return link{}, reason
	}
	u, err := parser.Parse(scheme + "://" + standIn + port + "/" + rest)
	if err != nil {
		return link{}, ReasonInvalidPort
	}

	l := link{scheme: scheme, host: host, path: cleanPath(path)}
	if u.Port() != "" {
		l.port = ":" + u.Port()
	}
	query := u.Href(true)[len(scheme+"://"+standIn+l.port+"/"):]
	l.tail = l.path + query
	switch fragment := u.Hash(); {
	case strings.HasPrefix(fragment, "#/"), strings.HasPrefix(fragment, "#!"):
		l.tail += fragment
	case l.tail == "/":
		l.tail = ""
	}
	return l, ""
}

// cutAuthority splits what follows a scheme's slashes into user information,
// host and port on one side, and path, query and fragment on the other.
func cutAuthority(text string) (authority, rest string) {
	if i := strings.IndexAny(text, `/\?#`); i >= 0 {
		return text[:i], text[i:]
	}
	return text, ""
}

// cutPort splits an authority without user information before the colon of its
// port. Colons between brackets belong to the host.
func cutPort(authority string) (hostText, port string) {
	from := 0
	if strings.HasPrefix(authority, "[") {
		from = strings.IndexByte(authority, ']') + 1
	}
	if i := strings.IndexByte(authority[from:], ':'); i >= 0 {
		return authority[:from+i], authority[from+i:]
	}
	return authority, ""
}

// cutPath splits what follows an authority into the path on one side, and query
// and fragment on the other.
func cutPath(text string) (path, rest string) {
	if i := strings.IndexAny(text, "?#"); i >= 0 {
		return text[:i], text[i:]
	}
	return text, ""
}

// cleanPath returns a path in the form that the path state of the Standard's
// parser gives it: backslashes are slashes, dot segments are resolved, and what
// must be is percent-encoded.
func cleanPath(path string) string {
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
	return parser.PercentEncodeString("/"+strings.Join(segments, "/"), pathEncodeSet)
}

// dotsOf returns 1 or 2 for a segment of as many dots, percent-encoded or not,
// and 0 for any other.
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

// parseIP returns the canonical form of an IP address in any notation that
// browsers know: 0x7f.1 is 127.0.0.1. An IPv6 address is in brackets.
func parseIP(text string) (string, bool) {
	u, err := parser.Parse("http://" + text)
	if err != nil || !u.IsIPv4() && !u.IsIPv6() {
		return "", false
	}
	return u.Hostname(), true
}
