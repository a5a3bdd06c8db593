package client

import (
	"context"
	"errors"
	"io"
	"time"
)

// errSilent reports that the server has sent nothing for too long.
var errSilent = errors.New("timeout: the server has sent nothing")

// watch cancels a request when the server sends nothing for too long.
type watch struct {
	ctx    context.Context //nolint:containedctx // it is that of the request
	cancel context.CancelCauseFunc
	timer  *time.Timer
	limit  time.Duration
}

// newWatch returns a context that is canceled when the time is over.
func newWatch(parent context.Context, limit time.Duration) (context.Context, *watch) {
	ctx, cancel := context.WithCancelCause(parent)
	timer := time.AfterFunc(limit, func() { cancel(errSilent) })
	return ctx, &watch{ctx: ctx, cancel: cancel, timer: timer, limit: limit}
}

// pause stops the time, and sets how long the next read may take.
func (w *watch) pause(limit time.Duration) {
	w.limit = limit
	w.timer.Stop()
}

// stop releases the context.
func (w *watch) stop() {
	w.timer.Stop()
	w.cancel(nil)
}

// expired reports whether the time was over.
func (w *watch) expired() bool {
	return errors.Is(context.Cause(w.ctx), errSilent)
}

// watchedBody is a body whose reader waits for each part as long as the watch permits.
type watchedBody struct {
	io.ReadCloser
	watch *watch
}

// Read implements [io.Reader]. The time that the caller takes between two parts does not count.
func (b watchedBody) Read(p []byte) (int, error) {
	b.watch.timer.Reset(b.watch.limit)
	defer b.watch.timer.Stop()
	return b.ReadCloser.Read(p)
}

// Close implements [io.Closer].
func (b watchedBody) Close() error {
	defer b.watch.stop()
	return b.ReadCloser.Close()
}
