package webhook

import (
	"context"
	"time"

	"github.com/apguard/apguard/audit"
)

// Pause stops the messages of an endpoint until [Service.Resume]. The endpoint keeps its place in
// the feed. A request that is under way may still succeed. An endpoint that is PAUSED or DISABLED
// stays the same. Pause returns the endpoint, or [ErrNotFound].
func (s *Service) Pause(ctx context.Context, id int64) (Endpoint, error) {
	e, err := s.administer(ctx, id, audit.ActionPaused, func(e Endpoint, _ time.Time) Endpoint {
		if e.State == StateActive {
			e.State = StatePaused
		}
		return e
	})
	return e.withoutSecrets(), err
}

// Resume makes the endpoint ACTIVE, whatever its state is, and forgets its failures. The endpoint
// continues at its place in the feed at once, so Resume also tries again without waiting. It
// returns the endpoint, or [ErrNotFound].
func (s *Service) Resume(ctx context.Context, id int64) (Endpoint, error) {
	e, err := s.administer(ctx, id, audit.ActionResumed, Endpoint.resumed)
	return e.withoutSecrets(), err
}

func (e Endpoint) resumed(now time.Time) Endpoint {
	e.State, e.DisabledBy = StateActive, ""
	e.Failures, e.FailingSince = 0, time.Time{}
	return e.dueNow(now)
}

// dueNow returns the endpoint so that the next sender takes it, but not before the request that
// is under way has ended.
func (e Endpoint) dueNow(now time.Time) Endpoint {
	if e.Lease == "" || !e.DueAt.After(now) {
		e.Lease, e.DueAt = "", now
	}
	return e
}

// Remove removes the endpoint, or returns [ErrNotFound]. A request that is under way may still
// reach the receiver.
func (s *Service) Remove(ctx context.Context, id int64) error {
	return s.store.RemoveEndpoint(ctx, id, s.entry(ctx, s.Now(), audit.ActionRemoved, id))
}
