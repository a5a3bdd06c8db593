package main

import (
	"net/http"

	"github.com/apguard/apguard/feed/hotlist"
	"github.com/apguard/apguard/httpapi"
)

// newPhishingHandler mounts the operations for MetaMask's clients, which know no base. The API also answers
// all other requests.
func newPhishingHandler(list *hotlist.Hotlist, opts httpapi.Options) (http.Handler, error) {
	api, err := httpapi.NewPhishing(list, opts)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	api.Mount(mux, "")
	mux.Handle("/", api.NotFound())
	return mux, nil
}
