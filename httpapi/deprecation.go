package httpapi

import (
	"net/http"
	"strings"
)

// deprecatedSince is the date of the deprecation of the POST reports listing, in the
// format of RFC 9745. The specification gives no date; this is January 1, 2025.
const deprecatedSince = "@1735689600"

// announceSuccessor sets the headers of a deprecated operation at the given path. The
// link is a relative one if the base of the request is unknown.
func announceSuccessor(header http.Header, r *http.Request, path string) {
	successor := strings.Repeat("../", strings.Count(path, "/")-1) + strings.TrimPrefix(reportsPath, "/")
	if base, found := baseOf(r, path); found {
		successor = reference(base + reportsPath)
	}
	header.Set("Deprecation", deprecatedSince)
	header.Set("Link", "<"+successor+`>; rel="successor-version"`)
}
