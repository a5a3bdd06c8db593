package routers

import (
	"net/http"

	"github.com/apguard/apguard/httpapi"
)

// ServeMux uses net/http's router. The API answers everything below the base, which must
// not be empty.
//
// The host's page has the pattern "GET /{$}", which matches only the root. The pattern
// "GET /" matches every path, and conflicts with the last pattern here. A host that needs
// it leaves the last pattern out, as [ServeMuxWithCatchAll] does.
func ServeMux(api *httpapi.API, base string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", home)
	api.Mount(mux, base)
	mux.Handle(base+"/", http.StripPrefix(base, api))
	return mux
}

// ServeMuxWithCatchAll uses net/http's router with a catch-all page of the host. So the
// host, not the API, answers a GET of an unknown path below the base.
func ServeMuxWithCatchAll(api *httpapi.API, base string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /", home)
	api.Mount(mux, base)
	return mux
}
