package routers

import (
	"net/http"
	"path"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/apguard/apguard/httpapi"
)

// Chi is github.com/go-chi/chi, 5.0.12 or later, with the operations in a
// router of their own, so that they alone have the API's 404. The base is not "".
//
// Chi refuses a method that it does not know, such as PROPFIND, with an empty
// body, before it looks at the path.
func Chi(api *httpapi.API, base string) http.Handler {
	router := chi.NewRouter()
	router.Get("/", home)
	router.Route(base, func(r chi.Router) {
		api.Mount(r, "")
		r.NotFound(api.NotFound().ServeHTTP)
	})
	return router
}

// ChiBeside is chi with the operations beside the host's pages on one router, and
// inside the middleware that chi brings. Below the base, the host's 404 answers.
//
// Compress flushes a writer that has Flush and none that has Unwrap alone. What is
// in front of it needs both, or else a compressed changelog leaves when it is whole.
func ChiBeside(api *httpapi.API, base string) http.Handler {
	router := chi.NewRouter()
	router.Use(middleware.RequestID, middleware.Recoverer, middleware.Compress(5))
	router.Get("/", home)
	api.Mount(router, base)
	return router
}

// ChiMounted is chi with the operations on a router that another one mounts. The
// base has two parts or more, of which that router has the last one.
func ChiMounted(api *httpapi.API, base string) http.Handler {
	parent, last := path.Split(base)
	versions := chi.NewRouter()
	api.Mount(versions, last)
	router := chi.NewRouter()
	router.Get("/", home)
	router.Mount(strings.TrimSuffix(parent, "/"), versions)
	return router
}
