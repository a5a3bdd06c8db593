package routers

import (
	"net/http"

	"github.com/gorilla/mux"

	"github.com/apguard/apguard/httpapi"
)

// Gorilla is github.com/gorilla/mux, which takes the operations from
// [httpapi.API.Routes]. The base is not "".
//
// Each is registered without its method: the handler refuses all others itself,
// with the header Allow, which gorilla's own 405 does not have. A path may come
// twice, under two methods; the first one serves both.
//
// StrictSlash redirects "/asset/changelog/" to the path without the last slash by
// a 301, on which clients send a GET instead of a POST and are answered with 405.
// Without it, the same path is answered with 404.
func Gorilla(api *httpapi.API, base string) http.Handler {
	router := mux.NewRouter().StrictSlash(true)
	router.HandleFunc("/", home).Methods(http.MethodGet)
	operations := router.PathPrefix(base).Subrouter()
	for _, route := range api.Routes() {
		operations.Handle(route.Path, route.Handler)
	}
	operations.NotFoundHandler = api.NotFound()
	return router
}

// GorillaByMethod is gorilla/mux with each operation under its own methods, for a
// host that lists its routes or has middleware that looks at them. The API answers
// what is left below the base, under both of gorilla's names for it: in a router
// with a prefix, a method that a path does not have is often taken for a path that
// nobody has.
func GorillaByMethod(api *httpapi.API, base string) http.Handler {
	router := mux.NewRouter()
	router.HandleFunc("/", home).Methods(http.MethodGet)
	operations := router.PathPrefix(base).Subrouter()
	for _, route := range api.Routes() {
		operations.Handle(route.Path, route.Handler).Methods(route.Method)
	}
	rest := http.StripPrefix(base, api)
	operations.MethodNotAllowedHandler = rest
	operations.NotFoundHandler = rest
	return router
}
