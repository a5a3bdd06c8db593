package main

import (
	"context"
	"log/slog"
	"time"

	"github.com/apguard/apguard"
)

// expireEntries removes allowlist entries that have ended, now and once a minute, until stop is
// called.
func expireEntries(ctx context.Context, guard *apguard.Guard, logger *slog.Logger) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			if _, err := guard.Expire(ctx); err != nil && ctx.Err() == nil {
				logger.Error("allowlist entries that have ended were not removed; trying again", "error", err)
			}
			select {
			case <-ctx.Done():
			case <-time.After(time.Minute):
			}
		}
	}()
	return func() {
		cancel()
		<-done
	}
}
