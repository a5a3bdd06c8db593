package deliver

import (
	"context"
	"errors"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/webhook"
)

const (
	// turn is the number of messages that an endpoint receives in a row. Then others that wait for a
	// slot come first.
	turn = 16
	// maxExamined and examinedTime are how many changes, and how long, the stored place of an
	// endpoint may be behind what was examined for it.
	maxExamined  = asset.MaxLimit
	examinedTime = time.Hour
	// sendWithin is the time after a lease began in which its request may begin. The request then
	// ends long before the lease does.
	sendWithin = webhook.LeaseTime / 2
)

// errLost reports that the feed does not accept the place of an endpoint.
var errLost = errors.New("place in the feed is lost")

// examined says that for an endpoint that is stored at a place, there is nothing to send up to
// another one.
type examined struct {
	stored, through webhook.Place
	since           time.Time // when stored was examined first
}

// work sends messages to the endpoint until there are no more, it fails, or its turn is over. It
// reports errors, and returns [asset.ErrReadOnly] or nil.
func (s *Sender) work(ctx context.Context, e webhook.Endpoint) error {
	for n := 1; ; n++ {
		next, more, err := s.step(ctx, e)
		if err != nil {
			s.forget(e.ID)
			return s.failed(ctx, e.ID, err)
		}
		e = next
		switch {
		case more && n >= turn:
			s.forget(e.ID)
			s.Wake()
			return nil
		case more:
		case e.State != webhook.StateActive || !e.DueAt.IsZero(): // it has failed
			s.forget(e.ID)
			return nil
		case s.end(e.ID):
			return nil
		}
	}
}

// failed reports an error of a step, unless the endpoint belongs to another sender now, or has
// been changed or removed.
func (s *Sender) failed(ctx context.Context, id int64, err error) error {
	switch {
	case errors.Is(err, asset.ErrReadOnly):
		return err
	case errors.Is(err, webhook.ErrNotDue), errors.Is(err, webhook.ErrNotFound), errors.Is(err, webhook.ErrLeaseLost):
	case ctx.Err() == nil:
		s.fail(id, err)
	}
	return nil
}

// forget ends the work on the endpoint.
func (s *Sender) forget(id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()

	delete(s.busy, id)
}

// step sends the next message to the endpoint, if there is any. It returns the endpoint as it is
// then, and whether there may be more to send.
func (s *Sender) step(ctx context.Context, e webhook.Endpoint) (next webhook.Endpoint, more bool, err error) {
	choice, err := s.choose(ctx, e)
	switch {
	case errors.Is(err, errLost):
		return s.relocate(ctx, e)
	case err != nil:
		return e, false, err
	case choice.Changes == 0:
		return s.skip(ctx, e, choice.After)
	}
	return s.deliver(ctx, e, choice)
}

// choose returns what the endpoint is sent next. It examines the feed up to its end, if
// necessary. It returns errLost if the place of the endpoint is lost.
func (s *Sender) choose(ctx context.Context, e webhook.Endpoint) (webhook.Choice, error) {
	at, err := s.pages.locate(ctx, e)
	if err != nil {
		return webhook.Choice{}, err
	}
	if at != e.Place {
		return webhook.Choice{}, errLost
	}
	if e.Batch != (webhook.Batch{}) {
		entries, err := s.pages.until(ctx, at, e.Batch.Last)
		return e.Choose(at, entries), err
	}
	from := s.through(e)
	for {
		entries, err := s.pages.since(ctx, from)
		if err != nil {
			return webhook.Choice{}, err
		}
		choice := e.Choose(from, entries)
		if choice.Changes > 0 || len(entries) == 0 {
			return choice, nil
		}
		from = choice.After
		s.examine(e, from)
	}
}

// through returns how far the feed was examined for the endpoint.
func (s *Sender) through(e webhook.Endpoint) webhook.Place {
	s.mu.Lock()
	defer s.mu.Unlock()

	if x, ok := s.examined[e.ID]; ok && x.stored == e.Place {
		return x.through
	}
	return e.Place
}

// examine remembers how far the feed was examined for the endpoint.
func (s *Sender) examine(e webhook.Endpoint, through webhook.Place) {
	s.mu.Lock()
	defer s.mu.Unlock()

	x, ok := s.examined[e.ID]
	if !ok || x.stored != e.Place {
		x = examined{stored: e.Place, since: time.Now()}
	}
	x.through = through
	s.examined[e.ID] = x
}

// overdue reports whether it is time to store how far the feed was examined for the endpoint.
func (s *Sender) overdue(e webhook.Endpoint, through webhook.Place) bool {
	s.mu.Lock()
	defer s.mu.Unlock()

	x, ok := s.examined[e.ID]
	return through.Position-e.Place.Position >= maxExamined || ok && x.stored == e.Place && time.Since(x.since) > examinedTime
}

// skip lets the endpoint wait for changes after the place.
func (s *Sender) skip(ctx context.Context, e webhook.Endpoint, to webhook.Place) (webhook.Endpoint, bool, error) {
	if e.DueAt.IsZero() && e.Batch == (webhook.Batch{}) && !s.overdue(e, to) {
		return e, false, nil
	}
	next, err := s.webhooks.Skip(ctx, e, to)
	if err != nil {
		return e, false, err
	}
	return next, false, nil
}

// relocate moves the endpoint to the place where it can continue.
func (s *Sender) relocate(ctx context.Context, e webhook.Endpoint) (webhook.Endpoint, bool, error) {
	to, err := s.pages.locate(ctx, e)
	if err != nil {
		return e, false, err
	}
	next, err := s.webhooks.Relocate(ctx, e, to)
	if err != nil {
		return e, false, err
	}
	s.options.Report(Event{Kind: EventLost, EndpointID: e.ID})
	return next, true, nil
}

// deliver sends the message of the choice and records the outcome.
func (s *Sender) deliver(ctx context.Context, e webhook.Endpoint, choice webhook.Choice) (webhook.Endpoint, bool, error) {
	began := time.Now()
	attempt, err := s.webhooks.Take(ctx, e, choice)
	if err != nil {
		return e, false, err
	}
	if time.Since(began) > sendWithin {
		return e, false, webhook.ErrLeaseLost // the store took so long that the lease may end soon
	}
	outcome := s.send(ctx, attempt)
	if ctx.Err() != nil && !outcome.Succeeded() {
		return e, false, s.release(ctx, attempt)
	}
	next, err := s.record(ctx, attempt, outcome)
	if err != nil {
		return e, false, err
	}
	s.report(next, choice, outcome)
	return next, outcome.Succeeded() && next.State == webhook.StateActive, nil
}

// record stores the outcome, even if the sender stops.
func (s *Sender) record(ctx context.Context, attempt webhook.Attempt, outcome webhook.Outcome) (webhook.Endpoint, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTimeout)
	defer cancel()
	return s.webhooks.Record(ctx, attempt, outcome)
}

// release gives the endpoint back without an outcome.
func (s *Sender) release(ctx context.Context, attempt webhook.Attempt) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTimeout)
	defer cancel()
	return s.webhooks.Release(ctx, attempt)
}

// report reports the outcome of a request.
func (s *Sender) report(e webhook.Endpoint, choice webhook.Choice, outcome webhook.Outcome) {
	event := Event{Kind: EventDelivered, EndpointID: e.ID, Changes: choice.Changes, Outcome: outcome}
	switch {
	case outcome.Succeeded():
	case e.State == webhook.StateDisabled:
		event.Kind, event.DisabledBy = EventDisabled, e.DisabledBy
	default:
		event.Kind = EventRefused
	}
	s.options.Report(event)
}
