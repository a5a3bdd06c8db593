package dispute

import "context"

// Release makes a dispute that is UNDER_REVIEW OPEN again and returns the updated dispute.
//
// The error is an [*asset.InputError], [ErrNotFound], [ErrTooManyNotes] or a
// [*TransitionError].
func (s *QueueService) Release(ctx context.Context, req TransitionRequest) (Dispute, error) {
	return s.transition(ctx, Transition{TransitionRequest: req, From: []State{StateUnderReview}, To: StateOpen})
}
