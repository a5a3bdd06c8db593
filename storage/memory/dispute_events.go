package memory

import (
	"context"

	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/step"
)

// addDisputeEvent gives the event the next position.
func (t *tables) addDisputeEvent(event dispute.Event) {
	t.lastDisputeEvent++
	event.Position = t.lastDisputeEvent
	disputed := t.disputes[event.DisputeID].asset
	event.Type, event.Canonical = disputed.Type, disputed.Canonical
	t.disputeEvents = append(t.disputeEvents, event)
}

// DisputeEvents implements [dispute.EventStore].
func (s *Store) DisputeEvents(ctx context.Context, after int64, limit int) (step.Page[dispute.Event], error) {
	return read(ctx, s, func(t *tables) (step.Page[dispute.Event], error) {
		found := above(t.disputeEvents, after, func(e dispute.Event) int64 { return e.Position })
		return page(found, limit, func(e dispute.Event) dispute.Event { return e })
	})
}

// LastDisputeEvent implements [dispute.EventStore].
func (s *Store) LastDisputeEvent(ctx context.Context) (int64, error) {
	return read(ctx, s, func(t *tables) (int64, error) { return t.lastDisputeEvent, nil })
}
