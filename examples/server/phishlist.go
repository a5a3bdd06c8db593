package main

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/apguard/apguard/dispute/phishlist"
)

// listInterval is short, as to look costs little while nothing has changed.
const listInterval = 5 * time.Second

// openList loads the list that the flag -phishlist gives.
func openList(path string, logger *slog.Logger) (*phishlist.File, error) {
	file, err := phishlist.OpenFile(path, phishlist.Options{})
	if err != nil {
		return nil, fmt.Errorf("-phishlist: %w", err)
	}
	logList(file, "phishing list loaded", logger)
	return file, nil
}

// followList loads the list anew whenever it changes, until the returned function is
// called. It looks at the given interval.
func followList(ctx context.Context, file *phishlist.File, every time.Duration, logger *slog.Logger) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		file.Watch(ctx, every, func(err error) {
			if err != nil {
				logger.Error("phishing list not reloaded, the last one stays in use", "error", err)
				return
			}
			logList(file, "phishing list reloaded", logger)
		})
	}()
	return func() {
		cancel()
		<-done
	}
}

// logList logs what the list has, and warns of entries that may be there by mistake, with
// the first of them.
func logList(file *phishlist.File, message string, logger *slog.Logger) {
	list := file.List()
	entries, targets := list.Len()
	found := list.Findings()
	logger.Info(message, "entries", entries, "fuzzy_targets", targets,
		"no_hosts", found.NoHosts, "repeated", found.Repeated, "not_canonical", found.NotCanonical)
	if found.NoHosts > 0 {
		logger.Warn("entries of the phishing list are no hosts and left out", "count", found.NoHosts, "first", found.FirstNoHosts[0].String())
	}
	if found.NotCanonical > 0 {
		logger.Warn("entries of the phishing list are written as no host of an asset is, and find none",
			"count", found.NotCanonical, "first", found.FirstNotCanonical[0].String())
	}
}
