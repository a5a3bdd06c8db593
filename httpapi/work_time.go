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

// workTimer limits the time of the authenticator, of the admission, and of the service for a
// response or for each part of a stream. The time that the client takes does not count. All of
// them use the same timer, because a new one for each would be a large share of the cost of a
// request.
type workTimer struct {
	timer   *time.Timer
	timeout time.Duration
	cancel  context.CancelCauseFunc
}

// withWorkTimer returns a context that is canceled with the cause
// context.DeadlineExceeded when the timer expires. The timer runs. The caller must call stop.
func withWorkTimer(parent context.Context, timeout time.Duration) (context.Context, workTimer) {
	ctx, cancel := context.WithCancelCause(parent)
	timer := time.AfterFunc(timeout, func() { cancel(context.DeadlineExceeded) })
	return ctx, workTimer{timer, timeout, cancel}
}

// pause stops the timer while the client is awaited.
func (t workTimer) pause() { t.timer.Stop() }

// restart gives the next part of the work the whole time.
func (t workTimer) restart() { t.timer.Reset(t.timeout) }

// pauseAfterPart pauses the timer after a part that has succeeded. It returns the context for the
// next part: ctx, or a new one under parent if the part took longer than its time.
func (t *workTimer) pauseAfterPart(parent, ctx context.Context) context.Context {
	if t.timer.Stop() {
		return ctx
	}
	t.cancel(nil)
	ctx, *t = withWorkTimer(parent, t.timeout)
	t.pause()
	return ctx
}

// stop ends the context.
func (t workTimer) stop() {
	t.timer.Stop()
	t.cancel(nil)
}

// withCause returns err together with the reason why its context ended, if err is a
// consequence of that.
func withCause(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil && errors.Is(err, context.Canceled) {
		return fmt.Errorf("%w: %w", cause, err)
	}
	return err
}
