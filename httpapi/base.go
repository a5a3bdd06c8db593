package httpapi

import (
	"net/http"
	"net/url"
	"strings"
)

// baseOf returns the base in front of the operation at the given path. It is taken
// from the address that the client asked for, as handlers on the way may have cut it
// off the URL. It reports false where that address does not end in the path.
func baseOf(r *http.Request, path string) (string, bool) {
	requested := r.URL
	if target, err := url.ParseRequestURI(r.RequestURI); err == nil {
		requested = target
	}
	return strings.CutSuffix(requested.Path, path)
}

// reference returns a reference to a path on the host that is asked. All that is
// special in a header, in JSON or in a template of a URL is escaped.
func reference(path string) string {
	// Two slashes at the start would name another host.
	place := url.URL{Path: "/" + strings.TrimLeft(path, "/")}
	return place.EscapedPath()
}
