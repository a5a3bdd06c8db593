package httpapi

import (
	"fmt"
	"net/http"
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
