package deliver

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/webhook"
)

const (
	// sweepInterval is the time between two looks at all endpoints if there are no changes. It finds
	// what a sender of another server left when it was killed.
	sweepInterval = time.Minute
	// dueLimit is the number of endpoints that are read at once.
	dueLimit = 1000
	// releaseTimeout bounds how long Run waits for the store when it ends.
	releaseTimeout = 5 * time.Second
)

// Run sends the messages of all endpoints until ctx ends, and returns the error of ctx. Requests
// that are under way are then canceled, and the next sender repeats them. On a store that only
// reads, Run returns [asset.ErrReadOnly] as soon as there is something to send.
//
// An error of the store does not end Run. It is reported, and the work is repeated. An error that
// prevents all work is reported once until it is over.
func (s *Sender) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var working sync.WaitGroup
	defer working.Wait()

	s.miss() // what was there before
	start := func(e webhook.Endpoint) {
		working.Go(func() {
			defer func() { <-s.slots }()
			if err := s.work(ctx, e); errors.Is(err, asset.ErrReadOnly) {
				cancel(err)
			}
		})
	}
	var (
		last     asset.Feed
		swept    time.Time
		reported string // the last error, until the failure is over
	)
	for {
		feed, err := s.pages.refresh(ctx)
		if err == nil {
			all := s.takeMissed() || feed.Store != last.Store || feed.Last != last.Last || time.Since(swept) > sweepInterval
			if all {
				last, swept = feed, time.Now()
			}
			err = s.round(ctx, all, start)
		}
		if ctx.Err() != nil {
			return ended(ctx)
		}
		switch {
		case err == nil:
			reported = ""
		case err.Error() != reported:
			reported = err.Error()
			s.options.Report(Event{Kind: EventFailed, Err: err})
		}
		if err != nil {
			s.miss()
		}
		select {
		case <-ctx.Done():
			return ended(ctx)
		case <-time.After(s.options.Interval):
		case <-s.wake:
		}
	}
}

// ended returns why the context of Run has ended.
func ended(ctx context.Context) error {
	if cause := context.Cause(ctx); errors.Is(cause, asset.ErrReadOnly) {
		return cause
	}
	return ctx.Err()
}

// round starts the work for all endpoints that have something to send. Unless all is true, it
// leaves out those that only wait for changes.
func (s *Sender) round(ctx context.Context, all bool, start func(webhook.Endpoint)) error {
	after := webhook.Waiting()
	if all {
		after = webhook.DueCursor{}
	}
	for count := 0; ; {
		page, err := s.webhooks.Due(ctx, after, dueLimit)
		if err != nil {
			return err
		}
		count += len(page.Items)
		for _, e := range page.Items {
			after = e.Cursor()
			if s.isBusy(e.ID) {
				continue
			}
			ready, err := s.ready(ctx, e)
			switch {
			case errors.Is(err, asset.ErrInvalid): // the place of this endpoint
				s.fail(e.ID, err)
			case err != nil:
				return err
			}
			if !ready {
				continue
			}
			select {
			case s.slots <- struct{}{}:
			case <-ctx.Done():
				return ctx.Err()
			}
			s.begin(e.ID)
			start(e)
		}
		if !page.More {
			if all {
				s.tidy(count)
			}
			return nil
		}
	}
}

// tidy forgets what was examined if most of it is about endpoints that do not exist any more.
func (s *Sender) tidy(endpoints int) {
	s.mu.Lock()
	defer s.mu.Unlock()

	if len(s.examined) > 2*endpoints+dueLimit {
		clear(s.examined)
	}
}

// ready reports whether there is something to do for the endpoint.
func (s *Sender) ready(ctx context.Context, e webhook.Endpoint) (bool, error) {
	if !e.DueAt.IsZero() {
		return true, nil
	}
	choice, err := s.choose(ctx, e)
	switch {
	case errors.Is(err, errLost):
		return true, nil
	case err != nil:
		return false, err
	}
	return choice.Changes > 0 || s.overdue(e, choice.After), nil
}

// isBusy reports whether this sender works on the endpoint. The work then looks at the feed once
// more.
func (s *Sender) isBusy(id int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()

	_, busy := s.busy[id]
	if busy {
		s.busy[id] = true
	}
	return busy
}

func (s *Sender) begin(id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()

	s.busy[id] = false
}

// end ends the work on the endpoint, unless there may be changes that the work has not seen.
func (s *Sender) end(id int64) (ended bool) {
	s.mu.Lock()
	defer s.mu.Unlock()

	if s.busy[id] {
		s.busy[id] = false
		return false
	}
	delete(s.busy, id)
	return true
}

// miss makes the next round look at all endpoints.
func (s *Sender) miss() {
	s.mu.Lock()
	defer s.mu.Unlock()

	s.missed = true
}

func (s *Sender) takeMissed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()

	missed := s.missed
	s.missed = false
	return missed
}

// fail reports an error of the store and repeats the work in the next round.
func (s *Sender) fail(id int64, err error) {
	s.miss()
	s.options.Report(Event{Kind: EventFailed, EndpointID: id, Err: err})
}
