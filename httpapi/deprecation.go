package httpapi

import (
	"net/http"
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
// the given path. Where the base in front of both cannot be found, a relative
// reference leads there too.
func successor(r *http.Request, path string) string {
	base, found := baseOf(r, path)
	if !found {
		return strings.Repeat("../", strings.Count(path, "/")-1) + strings.TrimPrefix(reportsPath, "/")
	}
	return reference(base + reportsPath)
}
