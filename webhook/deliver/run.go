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
	// sweepInterval is the time between two looks at all endpoints if there are no events. It finds
	// what a sender of another server left when it was killed.
	sweepInterval = time.Minute
	// dueLimit is the number of endpoints that are read at once.
	dueLimit = 1000
)

// Run sends the messages of all endpoints until ctx ends, and returns the error of ctx. Requests
// that are under way are then canceled, and the next sender repeats them. On a store that only
// reads, Run returns [asset.ErrReadOnly] as soon as there is something to send.
//
// An error of the store does not end Run. It is reported, and the work is repeated. An error that
// repeats is reported once until it is over.
func (s *Sender) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var working sync.WaitGroup
	defer working.Wait()

	start := func(e webhook.Endpoint, slot *slot) {
		s.memory.begin(e.ID)
		working.Go(func() {
			more, err := s.work(ctx, e, slot)
			slot.leave()
			if leftOut := s.memory.end(e.ID); more || leftOut {
				s.Wake()
			}
			if errors.Is(err, asset.ErrReadOnly) {
				cancel(err)
			}
		})
	}
	s.memory.miss() // what was there before
	var (
		last  webhook.End
		swept time.Time
	)
	for {
		end, err := s.reader.refresh(ctx)
		if err == nil {
			all := s.memory.takeMissed() || moved(last, end) || time.Since(swept) > sweepInterval
			if all {
				last, swept = end, time.Now()
			}
			if err = s.round(ctx, all, start); err != nil {
				s.memory.miss()
			}
		}
		if ctx.Err() != nil {
			return ended(ctx)
		}
		s.report(0, err)
		select {
		case <-ctx.Done():
			return ended(ctx)
		case <-time.After(s.options.Interval):
		case <-s.wake:
		}
	}
}

// moved reports whether there are other events than before.
func moved(last, end webhook.End) bool {
	return !continues(last, end) || end.Feed.Last != last.Feed.Last || end.Dispute != last.Dispute || end.Act != last.Act
}

// ended returns why the context of Run has ended.
func ended(ctx context.Context) error {
	if cause := context.Cause(ctx); errors.Is(cause, asset.ErrReadOnly) {
		return cause
	}
	return ctx.Err()
}

// round starts the work for all endpoints that have something to send. Unless all is true, it
// leaves out those that only wait for events.
func (s *Sender) round(ctx context.Context, all bool, start func(webhook.Endpoint, *slot)) error {
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
			if s.memory.isBusy(e.ID) {
				continue
			}
			ready, err := s.ready(ctx, e)
			if err != nil {
				return err
			}
			if !ready {
				continue
			}
			slot, ok, err := s.slots.take(ctx, e.Failures > 0)
			if err != nil {
				return err
			}
			if !ok {
				s.memory.miss() // so that a later round finds the endpoint
				continue
			}
			start(e, slot)
		}
		if !page.More {
			if all {
				s.memory.tidy(count)
			}
			return nil
		}
	}
}

// ready reports whether there is something to do for the endpoint. If there are more events to examine,
// the next round goes on with them, so that all endpoints read the same pages.
func (s *Sender) ready(ctx context.Context, e webhook.Endpoint) (bool, error) {
	if !e.DueAt.IsZero() {
		return true, nil
	}
	choice, more, err := s.choose(ctx, e, true)
	switch {
	case errors.Is(err, errLost):
		return true, nil
	case errors.Is(err, asset.ErrPrunedCursor): // the next round knows that changes were pruned
		s.Wake()
		return false, nil
	case errors.Is(err, asset.ErrInvalid): // the place of this endpoint
		s.report(e.ID, err)
		return false, nil
	case err != nil:
		return false, err
	case choice.Events > 0:
		return true, nil
	case more:
		s.Wake()
	case s.memory.overdue(e, choice.After):
		return true, nil
	}
	s.report(e.ID, nil)
	return false, nil
}

// report reports an error, unless it was the last one of the endpoint too. The ID is 0 for an error
// of a whole round. A nil error ends that of the endpoint.
func (s *Sender) report(id int64, err error) {
	if s.memory.fail(id, err) {
		s.options.OnEvent(Event{Kind: EventFailed, EndpointID: id, Err: err})
	}
}
