package httpapi

import (
	"net/http"
	"strings"
)

// deprecatedSince is the date of the deprecation of the POST reports listing, in the
// format of RFC 9745. The specification gives no date; this is January 1, 2025.
const deprecatedSince = "@1735689600"

// announceSuccessor sets the headers of a deprecated operation at the given path.
func announceSuccessor(header http.Header, r *http.Request, path string) {
	header.Set("Deprecation", deprecatedSince)
	header.Set("Link", "<"+successor(r, path)+`>; rel="successor-version"`)
}

// successor returns a reference to the reports listing. It is a relative one if the
// base of the request is unknown.
func successor(r *http.Request, path string) string {
	base, found := baseOf(r, path)
	if !found {
		return strings.Repeat("../", strings.Count(path, "/")-1) + strings.TrimPrefix(reportsPath, "/")
	}
	return reference(base + reportsPath)
}
