package httpapi

import (
	"context"
	"time"

	"github.com/apguard/apguard/httpapi/limit"
)

// place is the place of a request among those that are served at the same time.
type place struct {
	load    *limit.Load
	request limit.Request
	// waiting says that the request has a place among those that wait instead, also after the wait:
	// all of them can end it at the same time, and none must then be refused.
	waiting bool
	// left says that the place was given back.
	left bool
	// stopping is Options.Stopping.
	stopping <-chan struct{}
}

// leave gives the place back, unless that was done before.
func (p *place) leave() {
	switch {
	case p.left:
	case p.waiting:
		p.load.EndWait(p.request)
	default:
		p.load.Leave(p.request)
	}
	p.left = true
}

// wait calls until with a context that ends after the given time, when the client disconnects, or
// when the server stops. That time does not count. It returns the error of until, unless the context
// has ended.
func (c call) wait(w *responseWriter, most time.Duration, until func(context.Context) error) error {
	if err := c.place.load.Wait(c.place.request); err != nil {
		return err
	}
	c.place.waiting = true
	c.work.Pause()
	defer c.work.Resume()
	began := time.Now()
	defer func() { w.began = w.began.Add(time.Since(began)) }() // the wait is no work
	ctx, cancel := context.WithTimeout(c.Context(), most)
	defer cancel()
	defer context.AfterFunc(w.request.Context(), cancel)()
	go func() {
		select {
		case <-c.place.stopping:
			cancel()
		case <-ctx.Done():
		}
	}()
	if err := until(ctx); ctx.Err() == nil {
		return err
	}
	return nil
}
