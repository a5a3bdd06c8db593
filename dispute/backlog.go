package dispute

import (
	"context"
	"time"
)

// Backlog says how many disputes wait for a decision.
type Backlog struct {
	// Open and UnderReview are the numbers of disputes in these states.
	Open        int `json:"open"`
	UnderReview int `json:"underReview"`
	// OldestAt is when the oldest of them was created. It is zero if there are none.
	OldestAt time.Time `json:"oldestAt,omitzero"`
}

// Add counts disputes in a state, of which the oldest was created at that time. States that are closed do
// not count. Stores call it.
func (b *Backlog) Add(state State, count int, oldest time.Time) {
	switch state {
	case StateOpen:
		b.Open += count
	case StateUnderReview:
		b.UnderReview += count
	default:
		return
	}
	if count > 0 && (b.OldestAt.IsZero() || oldest.Before(b.OldestAt)) {
		b.OldestAt = oldest
	}
}

// Backlog returns how many disputes wait for a decision.
func (s *QueueService) Backlog(ctx context.Context) (Backlog, error) {
	return s.store.DisputeBacklog(ctx)
}
