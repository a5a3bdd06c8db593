package dispute

import (
	"context"
	"time"
)

// QueueOptions configures a [QueueService]. The zero value is ready to use.
type QueueOptions struct {
	// Clock returns the time of a transition or note. Nil means time.Now.
	Clock func() time.Time
}

// QueueService lets operators process disputes. It is safe for concurrent use if its
// store is.
type QueueService struct {
	store QueueStore
	clock func() time.Time
}

// NewQueueService returns a QueueService on the store.
func NewQueueService(store QueueStore, opts QueueOptions) *QueueService {
	if opts.Clock == nil {
		opts.Clock = time.Now
	}
	return &QueueService{store: store, clock: opts.Clock}
}

// Get returns the dispute with the ID, including its description and notes. It returns
// [ErrNotFound] if there is none.
func (s *QueueService) Get(ctx context.Context, id int64) (Dispute, error) {
	return s.store.DisputeByID(ctx, id)
}
