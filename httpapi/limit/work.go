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
	parent  context.Context //nolint:containedctx // for the next part
	ctx     context.Context //nolint:containedctx // of the part
	cancel  context.CancelCauseFunc
	timer   *time.Timer
	timeout time.Duration
}

// Start begins the first part. The caller must call [Work.End].
func Start(parent context.Context, timeout time.Duration) *Work {
	w := &Work{parent: parent, timeout: timeout}
	w.renew()
	return w
}

// renew gives the part a context and starts the timer.
func (w *Work) renew() {
	ctx, cancel := context.WithCancelCause(w.parent)
	w.ctx, w.cancel = ctx, cancel
	w.timer = time.AfterFunc(w.timeout, func() { cancel(context.DeadlineExceeded) })
}

// Context returns the context of the part. It is canceled with the cause
// [context.DeadlineExceeded] when the time of the part has passed.
func (w *Work) Context() context.Context { return w.ctx }

// Pause stops the time until [Work.Resume], while the client is awaited. The next part has a
// context that is not canceled, even if this one took longer than its time and succeeded.
func (w *Work) Pause() {
	if w.timer.Stop() {
		return
	}
	w.cancel(nil)
	w.renew()
	w.timer.Stop()
}

// Resume begins the next part, which has the whole time.
func (w *Work) Resume() { w.timer.Reset(w.timeout) }

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
