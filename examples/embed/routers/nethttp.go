package routers

import (
	"net/http"

	"github.com/apguard/apguard/httpapi"
)

// ServeMux is net/http's own router. All below the base is the API's. The base is
// not "".
//
// The host's page is "GET /{$}", the root alone: the pattern "GET /" would be
// everything, and the mux refuses to have it beside the last one here. A host that
// must have it leaves the last one out, as [ServeMuxBesideEverything] does.
func ServeMux(api *httpapi.API, base string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", home)
	api.Mount(mux, base)
	mux.Handle(base+"/", http.StripPrefix(base, api))
	return mux
}

// ServeMuxBesideEverything is net/http's own router whose host answers every GET
// that nobody else does. So the host, not the API, answers a path below the base
// that is no operation.
func ServeMuxBesideEverything(api *httpapi.API, base string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /", home)
	api.Mount(mux, base)
	return mux
}
