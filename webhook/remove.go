package webhook

import (
	"context"

	"github.com/apguard/apguard/audit"
)

// Remove removes the endpoint, or returns [ErrNotFound]. A request that is under way may still
// reach the receiver.
func (s *Service) Remove(ctx context.Context, id int64) error {
	return s.store.RemoveEndpoint(ctx, id, s.entry(ctx, s.Now(), audit.ActionRemoved, id))
}
