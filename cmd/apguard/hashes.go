package main

import (
	"log/slog"
	"time"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/check/hashlist/origin"
)

// newHashes returns the hash lists of the store, which are not filled yet.
func newHashes(guard *apguard.Guard, wait time.Duration, logger *slog.Logger) *origin.Origin {
	return origin.New(guard.Assets, guard.Feed, origin.Options{
		MinimumWait: wait,
		OnError:     func(err error) { logger.Error("hash lists are not up to date; trying again", "error", err) },
	})
}
