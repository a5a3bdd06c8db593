package postgres

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

// Before the n-th repetition, a step waits for a random time up to firstWait
// doubled n-1 times, at most lastWait.
const (
	firstWait = 4 * time.Millisecond
	lastWait  = 500 * time.Millisecond
)

// repeat runs try until it does not fail, fails for a reason that will not go
// away, or has been repeated maxRetries times.
func repeat(ctx context.Context, maxRetries int, try func() error) error {
	longest := firstWait
	for retries := 0; ; retries++ {
		err := try()
		if retries == maxRetries || !isRepeatable(err) {
			return err
		}
		if err := wait(ctx, rand.N(longest)); err != nil { //nolint:gosec // nobody gains by guessing it
			return err
		}
		longest = min(2*longest, lastWait)
	}
}

// isRepeatable reports whether a step that failed so has stored nothing, and may
// succeed the next time.
func isRepeatable(err error) bool {
	return isConflict(err) || errors.Is(err, errLost)
}

// wait waits for that time or the end of ctx.
func wait(ctx context.Context, how time.Duration) error {
	timer := time.NewTimer(how)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
