package httpapi

import (
	"net/http"
	"net/url"
	"strings"
)

// deprecatedSince is when the POST listing of reports was deprecated, as RFC 9745
// writes it. The specification calls it deprecated and tells no date; this library
// chose the first of January 2025.
const deprecatedSince = "@1735689600"

// announceSuccessor sets the headers that lead users of a deprecated operation to
// the one that takes its place.
func announceSuccessor(header http.Header, r *http.Request, path string) {
	header.Set("Deprecation", deprecatedSince)
	header.Set("Link", "<"+successor(r, path)+`>; rel="successor-version"`)
}

// successor returns a reference to the listing of reports from an operation at
// the given path. The base in front of both is taken from the address that the
// client asked for, as handlers on the way may have cut it off the URL. Where
// that address does not end in the path, a relative reference leads there too.
func successor(r *http.Request, path string) string {
	requested := r.URL
	if target, err := url.ParseRequestURI(r.RequestURI); err == nil {
		requested = target
	}
	base, found := strings.CutSuffix(requested.Path, path)
	if !found {
		return strings.Repeat("../", strings.Count(path, "/")-1) + strings.TrimPrefix(reportsPath, "/")
	}
	// Two slashes at the start would name another host.
	place := url.URL{Path: "/" + strings.TrimLeft(base+reportsPath, "/")}
	return place.EscapedPath()
}
