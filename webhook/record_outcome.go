package webhook

import (
	"context"
	"math/rand/v2"
	"time"
)

// statusGone is the status code by which a receiver says that it wants no more messages.
const statusGone = 410

// Record stores the outcome of the attempt and ends its lease. It returns the endpoint, which is
// then DISABLED if the receiver is gone or has failed for [DisableAfter].
//
// Record returns [ErrLeaseLost] if the endpoint was given to another sender in the meantime. The
// outcome then does not count.
func (s *Service) Record(ctx context.Context, attempt Attempt, outcome Outcome) (Endpoint, error) {
	jitter := rand.Float64() //nolint:gosec // not a secret
	return s.update(ctx, attempt.Endpoint.ID, func(e Endpoint, now time.Time) (Endpoint, error) {
		return attempt.record(e, outcome, now, jitter)
	})
}

// Release ends the lease of an attempt without an outcome, because the sender stops. The next
// sender sends the message again. It returns the errors of [Service.Record].
func (s *Service) Release(ctx context.Context, attempt Attempt) error {
	_, err := s.update(ctx, attempt.Endpoint.ID, func(e Endpoint, now time.Time) (Endpoint, error) {
		if e.Lease != attempt.lease {
			return Endpoint{}, ErrLeaseLost
		}
		e.Lease, e.DueAt = "", now
		return e, nil
	})
	return err
}

// record returns the endpoint after the outcome of the attempt.
func (a Attempt) record(e Endpoint, outcome Outcome, now time.Time, jitter float64) (Endpoint, error) {
	if e.Lease != a.lease {
		return Endpoint{}, ErrLeaseLost
	}
	e.Lease = ""
	e.Last, e.LastAt = outcome.Told(), now
	if outcome.Succeeded() {
		e.LastSuccessAt = now
		e.Failures, e.FailingSince = 0, time.Time{}
		e.DueAt = time.Time{}
		if e.Batch == a.Choice.Batch && e.Replays == a.Endpoint.Replays { // else an operator has moved the place
			e.Place, e.Batch = a.Choice.After, Batch{}
		}
		return e, nil
	}
	e.Failures++
	if e.FailingSince.IsZero() {
		e.FailingSince = now
	}
	e.DueAt = now.Add(retryDelay(e.Failures, outcome.RetryAfter, jitter))
	switch {
	case outcome.Status == statusGone:
		e.State, e.DisabledBy = StateDisabled, ReasonGone
	case now.Sub(e.FailingSince) >= DisableAfter:
		e.State, e.DisabledBy = StateDisabled, ReasonFailing
	}
	return e, nil
}

// TestAttempt returns the right to send a test message to the endpoint, whatever its state is. Its
// outcome is not recorded. TestAttempt returns [ErrNotFound] if there is no such endpoint.
func (s *Service) TestAttempt(ctx context.Context, id int64) (Attempt, error) {
	now := s.Now()
	e, err := s.store.EndpointByID(ctx, id)
	return Attempt{Endpoint: e, Choice: Choice{Message: TestMessage(now)}, At: now}, err
}
