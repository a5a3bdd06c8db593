package httpapi

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// detach returns a context for the work of a request. net/http cancels the context of a
// request when the client closes its half of the connection, although such a client still
// reads the response. The work therefore does not end with it. A deadline of the host
// application remains in force.
func detach(request context.Context) (context.Context, context.CancelFunc) {
	ctx := context.WithoutCancel(request)
	if at, limited := request.Deadline(); limited {
		return context.WithDeadline(ctx, at)
	}
	return ctx, func() {}
}

// partTimer limits the time in which the service must produce each part of a stream. The
// time in which the client accepts a part does not count.
type partTimer struct {
	timer   *time.Timer
	timeout time.Duration
}

// withPartTimer returns a context that is canceled with the cause
// context.DeadlineExceeded when the timer expires.
func withPartTimer(parent context.Context, timeout time.Duration) (context.Context, *partTimer) {
	ctx, cancel := context.WithCancelCause(parent)
	timer := time.AfterFunc(timeout, func() { cancel(context.DeadlineExceeded) })
	return ctx, &partTimer{timer: timer, timeout: timeout}
}

// pause stops the timer while a part is sent.
func (t *partTimer) pause() { t.timer.Stop() }

// restart gives the service the whole time for the next part.
func (t *partTimer) restart() { t.timer.Reset(t.timeout) }

// withCause returns err together with the reason why its context ended, if err is a
// consequence of that.
func withCause(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil && errors.Is(err, context.Canceled) {
		return fmt.Errorf("%w: %w", cause, err)
	}
	return err
}
