package webhook

import "context"

// TestAttempt returns the right to send a test message to the endpoint, whatever its state is. Its
// outcome is not recorded. TestAttempt returns [ErrNotFound] if there is no such endpoint.
func (s *Service) TestAttempt(ctx context.Context, id int64) (Attempt, error) {
	now := s.Now()
	e, err := s.store.EndpointByID(ctx, id)
	return Attempt{Endpoint: e, Choice: Choice{Message: TestMessage(now)}, At: now}, err
}
