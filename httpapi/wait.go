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
	entered bool
	// stopping is Options.Stopping.
	stopping <-chan struct{}
}

func (p *place) enter() error {
	err := p.load.Enter(p.request)
	p.entered = err == nil
	return err
}

// leave gives the place back, unless the request has none.
func (p *place) leave() {
	if p.entered {
		p.load.Leave(p.request)
	}
}

// wait calls until with a context that ends after the given time, when the client disconnects, or
// when the server stops. Meanwhile the request has no place, and its time does not count. It
// returns the error of until, unless the context has ended.
func (c call) wait(w *responseWriter, most time.Duration, until func(context.Context) error) error {
	if err := c.place.load.Wait(c.place.request); err != nil {
		return err
	}
	c.place.entered = false
	c.work.Pause()
	began := time.Now()
	err := c.await(w, most, until)
	w.began = w.began.Add(time.Since(began)) // the wait is no work
	c.work.Resume()
	c.place.load.EndWait(c.place.request)
	if err != nil {
		return err
	}
	return c.place.enter()
}

// await is the part of wait in which the request has no place.
func (c call) await(w *responseWriter, most time.Duration, until func(context.Context) error) error {
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
