package dispute

import "context"

// Reopen changes the state of a closed dispute back to OPEN, and returns the updated
// dispute. An e-mail address can dispute an asset only once, so this is how a dispute is
// reconsidered. The asset keeps its status, even one that it got when the dispute was
// accepted.
//
// The error is an [*asset.InputError], [ErrNotFound], [ErrTooManyNotes] or a
// [*TransitionError].
func (s *QueueService) Reopen(ctx context.Context, req TransitionRequest) (Dispute, error) {
	closed := []State{StateAccepted, StateRejected, StateWithdrawn}
	return s.transition(ctx, Transition{TransitionRequest: req, From: closed, To: StateOpen})
}
