package webhook

import "context"

// Remove removes the endpoint, or returns [ErrNotFound]. A request that is under way may still
// reach the receiver.
func (s *Service) Remove(ctx context.Context, id int64) error {
	return s.store.RemoveEndpoint(ctx, id)
}
