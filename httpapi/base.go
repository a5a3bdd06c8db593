package httpapi

import (
	"net/http"
	"net/url"
	"strings"
)

// baseOf returns the base in front of the operation at the given path. It uses the
// request target, because handlers may have removed a prefix from the URL. It reports
// false if the target does not end in path.
func baseOf(r *http.Request, path string) (string, bool) {
	requested := r.URL
	if target, err := url.ParseRequestURI(r.RequestURI); err == nil {
		requested = target
	}
	return strings.CutSuffix(requested.Path, path)
}

// hasEscapedSlash reports whether a slash in the path is part of a segment, such as that of
// /asset%2Fcheck. Routers do not take it for a separator.
func hasEscapedSlash(u *url.URL) bool {
	return u.RawPath != "" && strings.Contains(strings.ToLower(u.RawPath), "%2f")
}

// reference returns a relative reference to a path on the same host. Characters
// that are special in a header, in JSON or in a URL template are escaped.
func reference(path string) string {
	// Two slashes at the start would name another host.
	place := url.URL{Path: "/" + strings.TrimLeft(path, "/")}
	return place.EscapedPath()
}

// plainPath reports whether any router can register path: one or more segments of
// unreserved characters (RFC 3986, section 2.3), each after a slash.
func plainPath(path string) bool {
	rest, found := strings.CutPrefix(path, "/")
	if !found {
		return false
	}
	for segment := range strings.SplitSeq(rest, "/") {
		if segment == "" || segment == "." || segment == ".." || strings.ContainsFunc(segment, reserved) {
			return false
		}
	}
	return true
}

func reserved(r rune) bool {
	switch {
	case '0' <= r && r <= '9', 'A' <= r && r <= 'Z', 'a' <= r && r <= 'z':
		return false
	}
	return !strings.ContainsRune("-._~", r)
}
