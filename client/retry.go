package client

import (
	"context"
	"math/rand/v2"
	"net/http"
	"time"
)

// retry decides whether a call is sent again.
type retry struct {
	attempts int
	time     time.Duration
}

// The delays before a call is sent again if the server does not say it.
const (
	minDelay = 100 * time.Millisecond
	maxDelay = 10 * time.Second
)

// delay returns how long to wait before the call is sent again after the failure of an attempt, which
// is counted from 0. It reports false if the call must not be sent again.
//
// Without Retry-After, a 503 response is that of a server that only reads.
func (r retry) delay(failure *Error, attempt int) (time.Duration, bool) {
	if attempt >= r.attempts {
		return 0, false
	}
	switch {
	case failure.broken, failure.isGateway():
		delay := min(minDelay<<min(attempt, 10), maxDelay)
		return delay/2 + rand.N(delay/2), true //nolint:gosec // it need not be secret
	case failure.RetryAfter <= 0:
		return 0, false
	}
	switch failure.Status {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusConflict:
		// Not before that time, and not at the same time as all others.
		return failure.RetryAfter + rand.N(min(failure.RetryAfter, time.Second)), true //nolint:gosec // see above
	default:
		return 0, false
	}
}

// permits reports whether a call that began at a time may wait for the delay.
func (r retry) permits(ctx context.Context, began time.Time, delay time.Duration) bool {
	deadline, limited := ctx.Deadline()
	return time.Since(began)+delay <= r.time && (!limited || time.Until(deadline) > delay)
}

// sleep waits. It returns the error of ctx if that ends first.
func sleep(ctx context.Context, delay time.Duration) error {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
