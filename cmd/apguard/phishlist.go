package main

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/apguard/apguard/check/phishlist"
)

// listInterval is short, because checking an unchanged file is cheap.
const listInterval = 5 * time.Second

// openList loads the list of the -phishlist flag.
func openList(ctx context.Context, path string, logger *slog.Logger) (*phishlist.File, error) {
	file, err := phishlist.OpenFile(ctx, path, phishlist.Options{})
	if err != nil {
		return nil, fmt.Errorf("-phishlist: %w", err)
	}
	logList(file, "phishing list loaded", logger)
	return file, nil
}

// watchList reloads the list when its file changes, until stop is called.
func watchList(ctx context.Context, file *phishlist.File, interval time.Duration, logger *slog.Logger) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		file.Watch(ctx, interval, func(event phishlist.Event) {
			switch event.Kind {
			case phishlist.EventReloaded:
				logList(file, "phishing list reloaded", logger)
			case phishlist.EventFailed:
				logger.Error("phishing list not reloaded; the previous one stays in use", "error", event.Err)
			case phishlist.EventRecovered:
				logger.Info("phishing list file is valid again and matches the list in use")
			}
		})
	}()
	return func() {
		cancel()
		<-done
	}
}

// logList logs the size of the list. It warns of entries that are probably mistakes,
// with the first of them.
func logList(file *phishlist.File, message string, logger *slog.Logger) {
	list := file.List()
	entries, targets := list.Len()
	warnings := list.Warnings()
	logger.Info(message, "entries", entries, "fuzzy_targets", targets,
		"invalid_hosts", warnings.InvalidHosts, "duplicates", warnings.Duplicates, "not_canonical", warnings.NonCanonical,
		"content_ids", list.ContentIDs())
	if warnings.InvalidHosts > 0 {
		logger.Warn("phishing list: skipped invalid hosts", "count", warnings.InvalidHosts, "first", warnings.FirstInvalidHosts[0].String())
	}
	if warnings.NonCanonical > 0 {
		logger.Warn("phishing list: entries not in canonical form match no asset",
			"count", warnings.NonCanonical, "first", warnings.FirstNonCanonical[0].String())
	}
	if warnings.PublicSuffixes > 0 {
		logger.Warn("phishing list: skipped entries that are public suffixes",
			"count", warnings.PublicSuffixes, "first", warnings.FirstPublicSuffixes[0].String())
	}
	if len(warnings.BlockedSuffixes) > 0 {
		logger.Warn("phishing list: entries are public suffixes and block every domain below them", "suffixes", warnings.BlockedSuffixes)
	}
	if warnings.AllowedContentIDs > 0 {
		logger.Warn("phishing list: content identifiers in an allowlist have no effect", "count", warnings.AllowedContentIDs)
	}
}
