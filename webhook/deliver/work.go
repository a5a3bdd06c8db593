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
	// sendWithin is the time after a lease began in which its request may begin. The request then
	// ends long before the lease does.
	sendWithin = webhook.LeaseTime / 2
	// releaseTimeout bounds how long Run waits for the store when it ends.
	releaseTimeout = 5 * time.Second
)

// errLost reports that the place of an endpoint is not valid any more.
var errLost = errors.New("place is lost")

// work sends messages to the endpoint until there are no more, it fails, or its turn is over. It
// returns whether there may be more. It reports errors, and returns [asset.ErrReadOnly] or nil.
//
// Messages with disputes and those with changes take turns, so that neither waits until there are
// none of the other.
func (s *Sender) work(ctx context.Context, e webhook.Endpoint) (more bool, err error) {
	for n := range turn {
		e, more, err = s.step(ctx, e, n%2 == 0)
		if err != nil {
			return false, s.failed(ctx, e.ID, err)
		}
		s.report(e.ID, nil)
		if !more {
			return false, nil
		}
	}
	return true, nil
}

// failed reports an error of a step, unless the endpoint belongs to another sender now, or has been
// changed or removed. It returns [asset.ErrReadOnly] or nil.
func (s *Sender) failed(ctx context.Context, id int64, err error) error {
	switch {
	case errors.Is(err, asset.ErrReadOnly):
		return err
	case errors.Is(err, webhook.ErrNotDue), errors.Is(err, webhook.ErrNotFound), errors.Is(err, webhook.ErrLeaseLost):
	case ctx.Err() == nil:
		s.report(id, err)
		s.memory.miss()
	}
	return nil
}

// step sends the next message to the endpoint, if there is any. It returns the endpoint as it is
// then, and whether there may be more to send.
func (s *Sender) step(ctx context.Context, e webhook.Endpoint, disputesFirst bool) (next webhook.Endpoint, more bool, err error) {
	choice, err := s.choose(ctx, e, disputesFirst)
	switch {
	case errors.Is(err, errLost):
		return s.relocate(ctx, e)
	case err != nil:
		return e, false, err
	case choice.Events > 0:
		return s.deliver(ctx, e, choice)
	case e.DueAt.IsZero() && e.Batch == (webhook.Batch{}) && !s.memory.overdue(e, choice.After):
		return e, false, nil // it waits for events already
	}
	next, err = s.webhooks.Skip(ctx, e, choice.After)
	return next, false, err
}

// choose returns what the endpoint is sent next. It examines all events, if necessary. It returns
// errLost if the place of the endpoint is lost.
func (s *Sender) choose(ctx context.Context, e webhook.Endpoint, disputesFirst bool) (webhook.Choice, error) {
	at, err := s.reader.locate(ctx, e)
	switch {
	case err != nil:
		return webhook.Choice{}, err
	case at != e.Place:
		return webhook.Choice{}, errLost
	case e.Batch.Dispute:
		events, err := s.reader.disputesAfter(ctx, at)
		return e.ChooseDispute(s.reader.store(), at, events), err
	case e.Batch != (webhook.Batch{}):
		entries, err := s.reader.changesUntil(ctx, at, e.Batch.Last)
		return e.Choose(at, entries), err
	}
	first, second := s.nextDispute, s.nextChanges
	if !disputesFirst {
		first, second = second, first
	}
	choice, err := first(ctx, e, s.memory.through(e))
	if err != nil || choice.Events > 0 {
		return choice, err
	}
	return second(ctx, e, choice.After)
}

// nextChanges returns the first changes after the place that the endpoint is sent.
func (s *Sender) nextChanges(ctx context.Context, e webhook.Endpoint, from webhook.Place) (webhook.Choice, error) {
	for e.Takes(webhook.EventStatusChanged) {
		entries, err := s.reader.changesAfter(ctx, from)
		if err != nil {
			return webhook.Choice{}, err
		}
		choice := e.Choose(from, entries)
		if choice.Events > 0 || len(entries) == 0 {
			return choice, nil
		}
		from = choice.After
		s.memory.examine(e, from)
	}
	return webhook.Choice{After: from}, nil
}

// nextDispute returns the first event of a dispute after the place that the endpoint is sent.
func (s *Sender) nextDispute(ctx context.Context, e webhook.Endpoint, from webhook.Place) (webhook.Choice, error) {
	for e.TakesDisputes() {
		events, err := s.reader.disputesAfter(ctx, from)
		if err != nil {
			return webhook.Choice{}, err
		}
		choice := e.ChooseDispute(s.reader.store(), from, events)
		if choice.Events > 0 || len(events) == 0 {
			return choice, nil
		}
		from = choice.After
		s.memory.examine(e, from)
	}
	return webhook.Choice{After: from}, nil
}

// relocate moves the endpoint to the place where it can continue.
func (s *Sender) relocate(ctx context.Context, e webhook.Endpoint) (webhook.Endpoint, bool, error) {
	to, err := s.reader.locate(ctx, e)
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
func (s *Sender) deliver(ctx context.Context, e webhook.Endpoint, choice webhook.Choice) (next webhook.Endpoint, more bool, err error) {
	began := time.Now()
	attempt, err := s.webhooks.Take(ctx, e, choice)
	if err != nil {
		return e, false, err
	}
	if time.Since(began) > sendWithin {
		return e, false, webhook.ErrLeaseLost // the store took so long that the lease may end soon
	}
	outcome := s.send(ctx, attempt)
	// The outcome is stored even if the sender stops.
	storing, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTimeout)
	defer cancel()
	if ctx.Err() != nil && !outcome.Succeeded() {
		return e, false, s.webhooks.Release(storing, attempt)
	}
	if next, err = s.webhooks.Record(storing, attempt, outcome); err != nil {
		return e, false, err
	}
	s.options.Report(eventOf(next, choice, outcome))
	return next, outcome.Succeeded() && next.State == webhook.StateActive, nil
}
