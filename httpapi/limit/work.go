package limit

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Detach returns a context for the work of a request, which does not end when the client
// disconnects. net/http cancels the context of a request when the client closes its half of the
// connection, although such a client still reads the response. A deadline of the host
// application remains in force.
func Detach(request context.Context) (context.Context, context.CancelFunc) {
	ctx := context.WithoutCancel(request)
	if at, limited := request.Deadline(); limited {
		return context.WithDeadline(ctx, at)
	}
	return ctx, func() {}
}

// Work limits the time of each part of a request's work: the authenticator, the admission, and
// the service for a response or for each part of a stream. The time of the client does not
// count. All parts share one timer, because a stream needs one that starts again.
type Work struct {
	timer   *time.Timer
	timeout time.Duration
	cancel  context.CancelCauseFunc
}

// Start begins the first part. The context is canceled with the cause
// [context.DeadlineExceeded] when the time of the part has passed. The caller must call
// [Work.End].
func Start(parent context.Context, timeout time.Duration) (context.Context, *Work) {
	w := &Work{timeout: timeout}
	return w.start(parent), w
}

func (w *Work) start(parent context.Context) context.Context {
	ctx, cancel := context.WithCancelCause(parent)
	w.cancel = cancel
	w.timer = time.AfterFunc(w.timeout, func() { cancel(context.DeadlineExceeded) })
	return ctx
}

// Pause stops the time until [Work.Resume], while the client is awaited.
func (w *Work) Pause() { w.timer.Stop() }

// PauseAfter pauses after a part that has succeeded. It returns the context for the next part:
// ctx, or a new one under parent if the part took longer than its time.
func (w *Work) PauseAfter(parent, ctx context.Context) context.Context {
	if w.timer.Stop() {
		return ctx
	}
	w.cancel(nil)
	ctx = w.start(parent)
	w.Pause()
	return ctx
}

// Resume begins the next part, which has the whole time.
func (w *Work) Resume() { w.timer.Reset(w.timeout) }

// Extend gives the present part another time from now on.
func (w *Work) Extend(timeout time.Duration) { w.timer.Reset(timeout) }

// End ends the context.
func (w *Work) End() {
	w.timer.Stop()
	w.cancel(nil)
}

// Cause returns err together with the reason why its context ended, if err is a
// consequence of that.
func Cause(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil && errors.Is(err, context.Canceled) {
		return fmt.Errorf("%w: %w", cause, err)
	}
	return err
}
