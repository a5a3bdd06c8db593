package httpapi

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// Mux is a router that takes patterns of the form "METHOD /path", such as
// [http.ServeMux] and chi.
type Mux interface {
	Handle(pattern string, handler http.Handler)
}

// Route is an operation and one of its methods, for routers that do not implement
// [Mux].
type Route struct {
	Method string
	// Path is relative to the base and begins with a slash.
	Path string
	// Handler serves every method of the path and answers all others with 405. It may
	// be registered for any method.
	Handler http.Handler
}

// Mount registers every operation below base. The base is "" or a path such as
// "/api/v2". Its segments consist of ASCII letters, digits and -._~ characters. Mount
// adds a missing leading slash and removes trailing slashes.
//
// Mount panics before it registers anything if the base is invalid ("/a//b",
// "/a/../b", "/{x}"). It also panics if the mux refuses a pattern that is registered
// already.
//
// Each path is registered under the nine methods that net/http defines, so that the
// API answers an unsupported method with 405, its own error body and the correct Allow
// header. The mux itself answers other paths below the base and other methods, such as
// PROPFIND. For such a method, ServeMux answers with 405 and lists all nine methods in
// Allow. To let the API answer both, add
//
//	mux.Handle("/api/v2/", http.StripPrefix("/api/v2", api))
//
// ServeMux panics on this pattern if the host application has registered a more
// general pattern for a single method, such as "GET /".
func (a *API) Mount(mux Mux, base string) {
	base = strings.Trim(base, "/")
	if base != "" {
		base = "/" + base
		if !plainPath(base) {
			panic(fmt.Sprintf("httpapi: invalid base %q; use a path such as /api/v2", base))
		}
	}
	for _, op := range a.operations {
		// A pattern without a method conflicts with "GET /" on ServeMux.
		for _, method := range methods() {
			mux.Handle(method+" "+base+op.path, a.handlers[op.path])
		}
	}
}

// Routes returns the operations. An operation with several methods has one route for
// each, and one that pages of other origins may call has one for OPTIONS; see Options.AllowedOrigins.
func (a *API) Routes() []Route {
	var routes []Route
	for _, op := range a.operations {
		for _, method := range op.methods {
			routes = append(routes, Route{Method: method, Path: op.path, Handler: a.handlers[op.path]})
		}
		if a.allowsOrigins(op) {
			routes = append(routes, Route{Method: http.MethodOptions, Path: op.path, Handler: a.handlers[op.path]})
		}
	}
	return routes
}

// methods returns the methods that both ServeMux and chi accept.
func methods() []string {
	return []string{
		http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete, http.MethodOptions, http.MethodTrace, http.MethodConnect,
	}
}

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
