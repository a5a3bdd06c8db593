package deliver

import (
	"context"
	"errors"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/webhook"
)

const (
	// turn is the number of messages, or pages of events without one, after which others that wait for
	// a slot come first, and turnTime the time. A turn has at least one of each order of events.
	turn     = 16
	turnTime = time.Second
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
// none of the other, and after a message that is repeated comes the other kind. Acts, of which there
// are few, come first.
func (s *Sender) work(ctx context.Context, e webhook.Endpoint, slot *slot) (more bool, err error) {
	began := time.Now()
	disputeFirst := e.Batch == (webhook.Batch{}) || e.Batch.Dispute
	for n := 0; n < 2 || n < turn && time.Since(began) < s.turnTime; n++ {
		e, more, err = s.step(ctx, e, slot, disputeFirst == (n%2 == 0))
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

// failed reports an error of a step, unless the endpoint belongs to another sender now, has been
// changed or removed, or must start again because changes were pruned. It returns [asset.ErrReadOnly] or
// nil.
func (s *Sender) failed(ctx context.Context, id int64, err error) error {
	switch {
	case errors.Is(err, asset.ErrReadOnly):
		return err
	case errors.Is(err, webhook.ErrNotDue), errors.Is(err, webhook.ErrNotFound), errors.Is(err, webhook.ErrLeaseLost):
	case errors.Is(err, asset.ErrPrunedCursor):
		s.memory.miss()
	case ctx.Err() == nil:
		s.report(id, err)
		s.memory.miss()
	}
	return nil
}

// step sends the next message to the endpoint, if there is any. It returns the endpoint as it is
// then, and whether there may be more to send.
func (s *Sender) step(ctx context.Context, e webhook.Endpoint, slot *slot, disputesFirst bool) (next webhook.Endpoint, more bool, err error) {
	choice, more, err := s.choose(ctx, e, disputesFirst)
	repeats := e.Batch != (webhook.Batch{})
	switch {
	case errors.Is(err, errLost):
		return s.relocate(ctx, e)
	case err != nil:
		return e, false, err
	case choice.Events > 0:
		return s.deliver(ctx, e, slot, choice)
	case !repeats && (more || e.DueAt.IsZero() && !s.memory.overdue(e, choice.After)):
		return e, more, nil
	}
	next, err = s.webhooks.Skip(ctx, e, choice.After)
	return next, repeats, err
}

// choose returns what the endpoint is sent next. It examines one page of each order of events. more
// says that there are others. It returns errLost if the place of the endpoint is lost.
func (s *Sender) choose(ctx context.Context, e webhook.Endpoint, disputesFirst bool) (choice webhook.Choice, more bool, err error) {
	at, err := s.reader.locate(ctx, e)
	switch {
	case err != nil:
		return webhook.Choice{}, false, err
	case at != e.Place:
		return webhook.Choice{}, false, errLost
	case e.Batch.Dispute:
		events, err := s.reader.disputesAfter(ctx, at)
		return e.ChooseDispute(s.reader.lastEnd().Feed.Store, at, events), false, err
	case e.Batch.Act:
		acts, err := s.reader.actsAfter(ctx, at)
		return e.ChooseAct(s.reader.lastEnd().Feed.Store, at, acts), false, err
	case e.Batch != (webhook.Batch{}):
		entries, err := s.reader.changesUntil(ctx, at, e.Batch.Last)
		return e.Choose(at, entries), false, err
	}
	first, second := s.nextDispute, s.nextChanges
	if !disputesFirst {
		first, second = second, first
	}
	p := s.memory.progress(e)
	for _, next := range [...]func(context.Context, *progress) (webhook.Choice, bool, error){s.nextAct, first, second} {
		var another bool
		choice, another, err = next(ctx, &p)
		if err != nil || choice.Events > 0 {
			return choice, true, err
		}
		more = more || another
	}
	return choice, more, nil
}

// nextChanges returns what the endpoint is sent of the next page of changes. It moves the progress
// behind those that it is not sent. more says that there are others.
func (s *Sender) nextChanges(ctx context.Context, p *progress) (choice webhook.Choice, more bool, err error) {
	if !p.endpoint.Takes(webhook.EventStatusChanged) {
		return webhook.Choice{After: p.through}, false, nil
	}
	entries, err := s.reader.changesAfter(ctx, p.through)
	if err != nil || len(entries) == 0 {
		return webhook.Choice{After: p.through}, false, err
	}
	choice = p.endpoint.Choose(p.through, entries)
	s.examined(p, choice)
	return choice, choice.After.Position < s.reader.lastEnd().Feed.Last, nil
}

// nextDispute is like nextChanges, for events of disputes.
func (s *Sender) nextDispute(ctx context.Context, p *progress) (choice webhook.Choice, more bool, err error) {
	if !p.endpoint.TakesDisputes() {
		return webhook.Choice{After: p.through}, false, nil
	}
	events, err := s.reader.disputesAfter(ctx, p.through)
	if err != nil || len(events) == 0 {
		return webhook.Choice{After: p.through}, false, err
	}
	end := s.reader.lastEnd()
	choice = p.endpoint.ChooseDispute(end.Feed.Store, p.through, events)
	s.examined(p, choice)
	return choice, choice.After.Dispute < end.Dispute, nil
}

// nextAct is like nextChanges, for acts.
func (s *Sender) nextAct(ctx context.Context, p *progress) (choice webhook.Choice, more bool, err error) {
	if !p.endpoint.TakesActs() {
		return webhook.Choice{After: p.through}, false, nil
	}
	acts, err := s.reader.actsAfter(ctx, p.through)
	if err != nil || len(acts) == 0 {
		return webhook.Choice{After: p.through}, false, err
	}
	return p.endpoint.ChooseAct(s.reader.lastEnd().Feed.Store, p.through, acts), true, nil
}

// examined moves the progress behind events of which the endpoint is sent none.
func (s *Sender) examined(p *progress, choice webhook.Choice) {
	if choice.Events == 0 {
		p.through = choice.After
		s.memory.examine(*p)
	}
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
	s.options.OnEvent(Event{Kind: EventLost, EndpointID: e.ID})
	return next, true, nil
}

// deliver sends the message of the choice and records the outcome.
func (s *Sender) deliver(ctx context.Context, e webhook.Endpoint, slot *slot, choice webhook.Choice) (next webhook.Endpoint, more bool, err error) {
	began := time.Now()
	attempt, err := s.webhooks.Take(ctx, e, choice)
	if err != nil {
		return e, false, err
	}
	if time.Since(began) > sendWithin {
		return e, false, webhook.ErrLeaseLost // the store took so long that the lease may end soon
	}
	late := time.AfterFunc(slowAfter, slot.slowDown)
	outcome := s.send(ctx, attempt)
	late.Stop()
	// The outcome is stored even if the sender stops.
	storing, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTimeout)
	defer cancel()
	if ctx.Err() != nil && !outcome.Succeeded() {
		return e, false, s.webhooks.Release(storing, attempt)
	}
	if next, err = s.webhooks.Record(storing, attempt, outcome); err != nil {
		return e, false, err
	}
	s.options.OnEvent(eventOf(next, choice, outcome))
	return next, outcome.Succeeded() && next.State == webhook.StateActive, nil
}
