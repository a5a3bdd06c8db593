package httpapi

import (
	"fmt"
	"net/http"
	"strings"
)

// Mux is a router that takes patterns of the form "METHOD /path", as
// [http.ServeMux] and chi do.
type Mux interface {
	Handle(pattern string, handler http.Handler)
}

// Route is one operation under one method, for routers that are no [Mux].
type Route struct {
	Method string
	// Path is relative to the base and begins with a slash.
	Path string
	// Handler answers any other method with 405, so it may also be registered
	// for all of them.
	Handler http.Handler
}

// Mount registers every operation below the base, under the nine methods that
// net/http names: a method that an operation does not have is answered with 405
// and the API's own body. Nothing else is registered, so the host's own patterns,
// such as "GET /", can stand beside.
//
// The mux itself answers all other methods (PROPFIND, post in lower case) and the
// paths below the base that are no operation. A host with a [http.ServeMux] that
// wants the API's own 405 and 404 there adds
//
//	mux.Handle("/api/v2/", http.StripPrefix("/api/v2", api))
//
// which ServeMux takes unless the host has a pattern like "GET /", of one method
// and more paths.
//
// The base is a path such as "/api/v2", made of slashes and of ASCII letters,
// digits and -._~ between them, or "" for none. A slash in front of it is added,
// and slashes behind it are dropped. Mount panics at any other base ("/a//b",
// "/a/../b", "/{x}") before it registers anything, and, as the mux does, when the
// host has registered one of the patterns itself.
func (a *API) Mount(mux Mux, base string) {
	base = normalBase(base)
	if base != "" && !plainPath(base) {
		panic(fmt.Sprintf("httpapi: cannot mount at base %q: it must be a path such as /api/v2", base))
	}
	for _, op := range a.operations {
		// A pattern without a method would conflict with "GET /": neither would be
		// more specific than the other.
		for _, method := range methods() {
			mux.Handle(method+" "+base+op.path, a.byPath[op.path])
		}
	}
}

// Routes returns the operations, each under the methods that it has.
func (a *API) Routes() []Route {
	var routes []Route
	for _, op := range a.operations {
		for _, method := range op.methods {
			routes = append(routes, Route{Method: method, Path: op.path, Handler: a.byPath[op.path]})
		}
	}
	return routes
}

// methods returns the methods that both ServeMux and chi take.
func methods() []string {
	return []string{
		http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete, http.MethodOptions, http.MethodTrace, http.MethodConnect,
	}
}

// normalBase returns base with a slash before it and none behind, or "".
func normalBase(base string) string {
	base = strings.Trim(base, "/")
	if base == "" {
		return ""
	}
	return "/" + base
}
