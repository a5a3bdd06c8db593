package main

import (
	"log/slog"
	"net/http"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/lists/hotlist"
)

// newHotlist returns the lists of the store for MetaMask's clients, which are not filled yet.
func newHotlist(guard *apguard.Guard, logger *slog.Logger) *hotlist.Hotlist {
	return hotlist.New(guard.Assets, guard.Feed, hotlist.Options{
		OnError: func(err error) {
			logger.Error("lists of phishing detection are not up to date; trying again", "error", err)
		},
	})
}

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
