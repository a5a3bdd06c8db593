package httpapi

import (
	"context"
	"time"
)

// wait calls until with a context that ends after the given time, when the client disconnects, or
// when the server stops. That time does not count. It returns the error of until, unless the context
// has ended.
func (c call) wait(w *responseWriter, most time.Duration, until func(context.Context) error) error {
	if err := w.place.Wait(); err != nil {
		return err
	}
	c.work.Pause()
	defer c.work.Resume()
	began := time.Now()
	defer func() { w.began = w.began.Add(time.Since(began)) }() // the wait is no work
	ctx, cancel := context.WithTimeout(c.Context(), most)
	defer cancel()
	defer context.AfterFunc(w.request.Context(), cancel)()
	go func() {
		select {
		case <-c.stopping:
			cancel()
		case <-ctx.Done():
		}
	}()
	if err := until(ctx); ctx.Err() == nil {
		return err
	}
	return nil
}
