package routers

import (
	"net/http"

	"github.com/gorilla/mux"

	"github.com/apguard/apguard/httpapi"
)

// Gorilla uses github.com/gorilla/mux with the operations from [httpapi.API.Routes]. The
// base must not be empty.
//
// Operations are registered without their method. The handler itself rejects other
// methods, with the header Allow, which gorilla's 405 lacks. If a path is registered for
// two methods, the first route serves both.
//
// StrictSlash redirects "/asset/changelog/" to the path without the trailing slash with
// 301. Clients then send GET instead of POST, and get 405. Without StrictSlash they get
// 404.
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

// GorillaByMethod uses gorilla/mux with each operation registered by method, for a host that
// lists its routes or has middleware that inspects them. The API answers all other requests
// below the base, as both of gorilla's fallback handlers: a subrouter with a prefix often
// reports a method mismatch as an unknown path.
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
