package dispute

import "context"

// StartReview takes an OPEN dispute under review and returns the updated dispute. Of
// several concurrent calls, one succeeds, so two operators never review the same dispute.
//
// The error is an [*asset.InputError], [ErrNotFound], [ErrTooManyNotes] or a
// [*TransitionError].
func (s *QueueService) StartReview(ctx context.Context, req TransitionRequest) (Dispute, error) {
	return s.transition(ctx, Transition{TransitionRequest: req, To: StateUnderReview})
}
