package main

import (
	"log/slog"

	"github.com/urfave/cli/v3"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/lists/fetch"
)

// flagPrivateLists is the name of the flag that allows lists in the server's own network.
const flagPrivateLists = "private-lists"

// privateListsFlag returns the flag that allows lists in the network of the program.
func privateListsFlag(to *bool) cli.Flag {
	return &cli.BoolFlag{
		Name: flagPrivateLists, Destination: to,
		Usage: "fetch lists also with http and from addresses that are not public; those who may add lists can then reach " +
			"the network of the server",
	}
}

// newFetcher returns the fetcher of lists. Its events go to the log.
func newFetcher(guard *apguard.Guard, logger *slog.Logger) *fetch.Fetcher {
	return fetch.New(guard.Lists, fetch.Options{OnEvent: func(event fetch.Event) { logFetch(event, logger) }})
}

// logFetch logs an event of the fetcher. The log has the names of lists but no URLs, which may contain tokens.
func logFetch(event fetch.Event, logger *slog.Logger) {
	if event.List != "" {
		logger = logger.With("list", event.List)
	}
	switch event.Kind {
	case fetch.EventSynced:
		logger.Info("list synced", "added", event.Result.Added, "withdrawn", event.Result.Withdrawn, "kept", event.Result.Kept,
			"refused", event.Result.Refused)
	case fetch.EventUnchanged:
		logger.Info("list has not changed")
	case fetch.EventFailed:
		logger.Error("list failed; trying again later", "error", event.Err)
	}
}
