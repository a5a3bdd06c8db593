package dispute

import "context"

// StartReview changes the state of a dispute from OPEN to UNDER_REVIEW, and returns the
// updated dispute. Of several concurrent calls, only one succeeds, so two operators never
// review the same dispute at the same time.
//
// The error is an [*asset.InputError], [ErrNotFound], [ErrTooManyNotes] or a
// [*TransitionError].
func (s *QueueService) StartReview(ctx context.Context, req TransitionRequest) (Dispute, error) {
	return s.transition(ctx, Transition{TransitionRequest: req, To: StateUnderReview})
}
