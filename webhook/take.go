package webhook

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/step"
)

// LeaseTime is how long a sender has an endpoint. If it does not record an outcome until then, for
// example because its process was killed, another sender sends the same message again. A request
// takes much less time, so that clocks may differ.
const LeaseTime = time.Minute

// Attempt is the right to send a message to an endpoint.
type Attempt struct {
	// Endpoint has its secrets.
	Endpoint Endpoint
	Choice   Choice
	// At is the time of the attempt.
	At    time.Time
	lease string
}

// Headers returns the headers of the request, by name.
func (a Attempt) Headers() map[string]string {
	return a.Choice.Message.Headers(a.At, a.Endpoint.Secrets(a.At)...)
}

// Due returns endpoints that are due, with an empty page at the end of the list. It continues
// after the last endpoint of the previous page. After [Waiting], it leaves out the endpoints that
// wait for changes and nothing else; they come first.
//
// Due and the following methods are for senders.
func (s *Service) Due(ctx context.Context, after DueCursor, limit int) (step.Page[Endpoint], error) {
	return s.store.DueEndpoints(ctx, after, s.Now(), limit)
}

// Waiting is the cursor behind all endpoints that wait for changes and nothing else.
func Waiting() DueCursor { return DueCursor{At: time.Time{}.Add(time.Millisecond)} }

// Cursor returns the position right after the endpoint in the list of [Service.Due].
func (e Endpoint) Cursor() DueCursor { return DueCursor{At: e.DueAt, ID: e.ID} }

// Take gives the endpoint to the caller, who then sends the message of the choice and calls
// [Service.Record]. The choice is stored, so that each further attempt sends the same message.
//
// Take returns [ErrNotDue] if the endpoint is not as the caller has read it, because another
// sender has it or an operator has changed it. It returns [ErrNotFound] if it was removed, and
// [asset.ErrReadOnly] on a store that only reads, so such a store never sends.
func (s *Service) Take(ctx context.Context, seen Endpoint, choice Choice) (Attempt, error) {
	a := Attempt{Choice: choice, At: s.Now(), lease: rand.Text()}
	var err error
	a.Endpoint, err = s.store.UpdateEndpoint(ctx, seen.ID, func(e Endpoint) (Endpoint, error) { return a.apply(seen, e) }, audit.Entry{})
	return a, err
}

// apply returns the endpoint with the lease of the attempt.
func (a Attempt) apply(seen, e Endpoint) (Endpoint, error) {
	if !e.canTake(seen, a.At) {
		return Endpoint{}, ErrNotDue
	}
	e.Place, e.Batch = a.Choice.Before, a.Choice.Batch
	e.Lease, e.DueAt = a.lease, a.At.Add(LeaseTime)
	return e, nil
}

// canTake reports whether the endpoint is due and stands where the caller has seen it.
func (e Endpoint) canTake(seen Endpoint, now time.Time) bool {
	return e.State == StateActive && !e.DueAt.After(now) &&
		e.Place == seen.Place && e.Batch == seen.Batch && e.Replays == seen.Replays
}

// Skip moves the endpoint to a place, because there is nothing to send before it. It then waits
// for changes. Skip returns the errors of [Service.Take].
func (s *Service) Skip(ctx context.Context, seen Endpoint, to Place) (Endpoint, error) {
	return s.update(ctx, seen.ID, func(e Endpoint, now time.Time) (Endpoint, error) {
		if !e.canTake(seen, now) {
			return Endpoint{}, ErrNotDue
		}
		e.Place, e.Batch = to, Batch{}
		e.Lease, e.DueAt = "", time.Time{}
		return e, nil
	})
}

// Relocate moves the endpoint to a place that [Endpoint.Locate] has returned because its own was
// lost. It keeps the batch if that comes after the place. It returns the errors of
// [Service.Take].
func (s *Service) Relocate(ctx context.Context, seen Endpoint, to Place) (Endpoint, error) {
	return s.update(ctx, seen.ID, func(e Endpoint, now time.Time) (Endpoint, error) {
		if !e.canTake(seen, now) {
			return Endpoint{}, ErrNotDue
		}
		if e.Place.Position != to.Position || e.Place.Dispute != to.Dispute || e.Place.Act != to.Act {
			e.Batch = Batch{}
		}
		e.Place = to
		return e, nil
	})
}
