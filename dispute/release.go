package dispute

import "context"

// Release changes the state of a dispute from UNDER_REVIEW back to OPEN, and returns the
// updated dispute.
//
// The error is an [*asset.InputError], [ErrNotFound], [ErrTooManyNotes] or a
// [*TransitionError].
func (s *QueueService) Release(ctx context.Context, req TransitionRequest) (Dispute, error) {
	return s.transition(ctx, Transition{TransitionRequest: req, From: []State{StateUnderReview}, To: StateOpen})
}
