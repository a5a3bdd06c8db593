package postgres

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/apguard/apguard/internal/wait"
)

// Before the n-th retry, a step waits for a random time of up to firstWait doubled
// n-1 times, but at most lastWait.
const (
	firstWait = 4 * time.Millisecond
	lastWait  = 500 * time.Millisecond
)

// retry runs try until it succeeds, fails for a permanent reason, or has been retried
// maxRetries times.
func retry(ctx context.Context, maxRetries int, try func() error) error {
	longest := firstWait
	for retries := 0; ; retries++ {
		err := try()
		if retries == maxRetries || !isRetryable(err) {
			return err
		}
		if _, err := wait.For(ctx, rand.N(longest), nil); err != nil { //nolint:gosec // not a secret
			return err
		}
		longest = min(2*longest, lastWait)
	}
}

// isRetryable reports whether a step that failed with err stored nothing and may
// succeed the next time.
func isRetryable(err error) bool {
	return isConflict(err) || errors.Is(err, errLost)
}
