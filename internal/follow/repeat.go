// Package follow has what followers of the feed share that keep lists for clients.
package follow

import (
	"context"
	"time"
)

// maxPause is the longest time until work is tried again after an error, unless the interval is longer.
const maxPause = 30 * time.Second

// Run does work at once and then at the interval, until ctx ends. It returns the error of ctx. After an
// error of the work, it waits twice as long as before, up to 30 seconds. An error that repeats with the
// same text is reported once.
func Run(ctx context.Context, interval time.Duration, work func(context.Context) error, report func(error)) error {
	pause, failure := interval, ""
	for {
		switch err := work(ctx); {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
			pause, failure = interval, ""
		default:
			if err.Error() != failure {
				failure = err.Error()
				report(err)
			}
			pause = min(2*pause, max(maxPause, interval))
		}
		if err := Wait(ctx, pause); err != nil {
			return err
		}
	}
}

// Wait waits for a time. It returns the error of ctx if ctx ends first.
func Wait(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
