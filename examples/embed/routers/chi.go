package routers

import (
	"net/http"
	"path"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/apguard/apguard/httpapi"
)

// Chi uses github.com/go-chi/chi, 5.0.12 or later, with a subrouter for the operations, so
// that the API's 404 applies only there. The base must not be empty.
//
// Chi answers a method that it does not know, such as PROPFIND, with an empty 405 before
// it matches the path.
func Chi(api *httpapi.API, base string) http.Handler {
	router := chi.NewRouter()
	router.Get("/", home)
	router.Route(base, func(r chi.Router) {
		api.Mount(r, "")
		r.NotFound(api.NotFound().ServeHTTP)
	})
	return router
}

// ChiBeside uses chi with the operations and the host's pages on one router, and with
// chi's own middleware. Below the base, the host's 404 applies.
//
// Compress flushes only writers with a Flush method, not those with only Unwrap. The
// writers of middleware in front of it need both. Otherwise a compressed changelog is sent
// only when it is complete.
func ChiBeside(api *httpapi.API, base string) http.Handler {
	router := chi.NewRouter()
	router.Use(middleware.RequestID, middleware.Recoverer, middleware.Compress(5))
	router.Get("/", home)
	api.Mount(router, base)
	return router
}

// ChiMounted uses chi with the operations on a router that is mounted on another one. The
// base must have at least two segments; the mounted router has the last one.
func ChiMounted(api *httpapi.API, base string) http.Handler {
	parent, last := path.Split(base)
	versions := chi.NewRouter()
	api.Mount(versions, last)
	router := chi.NewRouter()
	router.Get("/", home)
	router.Mount(strings.TrimSuffix(parent, "/"), versions)
	return router
}
