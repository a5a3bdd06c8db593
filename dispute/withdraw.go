package dispute

import "context"

// Withdraw closes an OPEN or UNDER_REVIEW dispute on behalf of the person who created it.
// It leaves the asset unchanged and returns the updated dispute.
//
// The error is an [*asset.InputError], [ErrNotFound] or a [*TransitionError].
func (s *QueueService) Withdraw(ctx context.Context, req TransitionRequest) (Dispute, error) {
	return s.transition(ctx, Transition{TransitionRequest: req, To: StateWithdrawn})
}
