package main

import (
	"context"
	"log/slog"
	"time"

	"github.com/apguard/apguard"
)

// expiryInterval is how often the server removes allowlist entries that have ended.
const expiryInterval = time.Minute

// expireEntries removes allowlist entries that have ended, now and once per interval, until
// stop is called.
func expireEntries(ctx context.Context, guard *apguard.Guard, interval time.Duration, logger *slog.Logger) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		ticker := time.NewTicker(interval)
		defer ticker.Stop()
		for ctx.Err() == nil {
			removed, err := guard.Expire(ctx)
			if removed > 0 {
				logger.Info("removed allowlist entries that have ended", "count", removed)
			}
			if err != nil && ctx.Err() == nil {
				logger.Error("allowlist entries that have ended were not removed; trying again", "error", err)
			}
			select {
			case <-ctx.Done():
			case <-ticker.C:
			}
		}
	}()
	return func() {
		cancel()
		<-done
	}
}
