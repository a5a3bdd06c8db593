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

// parseLink parses what follows the slashes of a scheme, as browsers do.
func parseLink(scheme, text string) (link, Reason) {
	if l, ok := parsePlainLink(scheme, text); ok {
		return l, ""
	}
	return parseAnyLink(scheme, text)
}

// parseAnyLink does the work of parseLink for all links.
//
// The library only percent-encodes: it spends time on user information and paths
// that grows with the square of their length, and misreads some hosts.
func parseAnyLink(scheme, text string) (link, Reason) {
	authority, rest := cutAuthority(text)
	hostText, portText := cutPort(authority[strings.LastIndexByte(authority, '@')+1:])
	path, rest := cutPath(rest)
	query, fragment := cutQuery(rest)

	host, reason := parseHost(hostText)
	if reason != "" {
		return link{}, reason
	}
	port, ok := parsePort(scheme, portText)
	if !ok {
		return link{}, ReasonInvalidPort
	}
	l := link{scheme: scheme, host: host, port: port, path: cleanPath(path)}
	l.tail = l.path + parser.PercentEncodeString(query, whatwg.SpecialQueryPercentEncodeSet)
	switch {
	case isRoute(fragment):
		l.tail += parser.PercentEncodeString(fragment, whatwg.FragmentPercentEncodeSet)
	case l.tail == "/":
		l.tail = ""
	}
	return l, ""
}

// isRoute reports whether a fragment says what a program in the page shows, and
// not merely a place in it.
func isRoute(fragment string) bool {
	return strings.HasPrefix(fragment, "#/") || strings.HasPrefix(fragment, "#!")
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

// cutQuery splits what follows a path into query and fragment.
func cutQuery(text string) (query, fragment string) {
	if i := strings.IndexByte(text, '#'); i >= 0 {
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
