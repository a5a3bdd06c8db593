package dispute

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/idempotency"
)

// transitions are all allowed transitions. Every closed state leads back to OPEN,
// because an e-mail address cannot dispute the same asset again.
var transitions = [...]struct{ from, to State }{
	{StateOpen, StateUnderReview},
	{StateOpen, StateAccepted},
	{StateOpen, StateRejected},
	{StateOpen, StateWithdrawn},
	{StateUnderReview, StateOpen},
	{StateUnderReview, StateAccepted},
	{StateUnderReview, StateRejected},
	{StateUnderReview, StateWithdrawn},
	{StateAccepted, StateOpen},
	{StateRejected, StateOpen},
	{StateWithdrawn, StateOpen},
}

// CanBecome reports whether a dispute in state s can change to the given state. It
// returns false if the two states are equal.
func (s State) CanBecome(to State) bool {
	return slices.Contains(transitions[:], struct{ from, to State }{s, to})
}

// TransitionRequest is the request of the transitions that do not decide a dispute:
// [QueueService.StartReview], [QueueService.Release], [QueueService.Withdraw] and
// [QueueService.Reopen].
type TransitionRequest struct {
	DisputeID int64
	// Actor is the user who makes the transition, or 0 if unknown.
	Actor int64
	// Reason may be empty. It has at most [MaxNoteBytes] bytes.
	Reason string
	// Idempotency is the key with which the request can be sent again; see package
	// idempotency. It belongs to Actor and to the transition. The zero key is none.
	Idempotency idempotency.Key
}

// Validate returns an [*asset.InputError] that lists every invalid field, or nil.
func (req TransitionRequest) Validate() error {
	var issues asset.Issues
	issues.CheckUser("actor", req.Actor)
	issues.CheckTextLength("reason", req.Reason, MaxNoteBytes)
	issues.CheckIdempotency(req.Idempotency)
	return issues.Err()
}

// StartReview changes the state of a dispute from OPEN to UNDER_REVIEW, and returns the
// updated dispute. Of several concurrent calls, only one succeeds, so two operators never
// review the same dispute at the same time.
//
// The error is an [*asset.InputError], [ErrNotFound], [ErrTooManyNotes] or a
// [*TransitionError].
func (s *QueueService) StartReview(ctx context.Context, req TransitionRequest) (Updated, error) {
	return s.transition(ctx, "dispute.startReview", Transition{TransitionRequest: req, To: StateUnderReview})
}

// Release changes the state of a dispute from UNDER_REVIEW back to OPEN, and returns the
// updated dispute.
//
// The error is an [*asset.InputError], [ErrNotFound], [ErrTooManyNotes] or a
// [*TransitionError].
func (s *QueueService) Release(ctx context.Context, req TransitionRequest) (Updated, error) {
	return s.transition(ctx, "dispute.release", Transition{TransitionRequest: req, From: []State{StateUnderReview}, To: StateOpen})
}

// Withdraw closes an OPEN or UNDER_REVIEW dispute on behalf of the person who created it.
// It leaves the asset unchanged and returns the updated dispute.
//
// The error is an [*asset.InputError], [ErrNotFound] or a [*TransitionError].
func (s *QueueService) Withdraw(ctx context.Context, req TransitionRequest) (Updated, error) {
	return s.transition(ctx, "dispute.withdraw", Transition{TransitionRequest: req, To: StateWithdrawn})
}

// Reopen changes the state of a closed dispute back to OPEN, and returns the updated
// dispute. An e-mail address can dispute an asset only once, so this is how a dispute is
// reconsidered. The asset keeps its status, even one that it got when the dispute was
// accepted.
//
// The error is an [*asset.InputError], [ErrNotFound], [ErrTooManyNotes] or a
// [*TransitionError].
func (s *QueueService) Reopen(ctx context.Context, req TransitionRequest) (Updated, error) {
	closed := []State{StateAccepted, StateRejected, StateWithdrawn}
	return s.transition(ctx, "dispute.reopen", Transition{TransitionRequest: req, From: closed, To: StateOpen})
}

// transition validates the request in t and applies t to the stored dispute. The operation is
// that of the key.
func (s *QueueService) transition(ctx context.Context, operation string, t Transition) (Updated, error) {
	if err := t.Validate(); err != nil {
		return Updated{}, err
	}
	t.At = s.clock()
	fields := func() []string {
		fields := []string{strconv.FormatInt(t.DisputeID, 10), t.Reason, string(t.To), string(t.AssetStatus)}
		if t.Assignee != 0 {
			fields = append(fields, strconv.FormatInt(t.Assignee, 10))
		}
		return fields
	}
	return s.update(ctx, UpdateCommand{
		DisputeID: t.DisputeID,
		Assignee:  t.Assignee,
		Apply:     t.Apply,
		Claim:     t.Idempotency.Claim(operation, 0, t.Actor, t.At, fields),
	})
}

// Transition moves a dispute to another state.
type Transition struct {
	TransitionRequest
	// From are the states that the dispute may be in. Empty means every state that can
	// change to To; see [State.CanBecome].
	From []State
	To   State
	// AssetStatus is the new status of the asset. Empty leaves the asset unchanged.
	AssetStatus asset.Status
	// Assignee is the user who gets the dispute. 0 means the actor.
	Assignee int64
	At       time.Time
}

// Apply returns the update that moves d to its new state. It adds a note with the reason.
// The error is a [*TransitionError] or [ErrTooManyNotes].
func (t Transition) Apply(d Dispute) (Update, error) {
	if len(t.From) > 0 && !slices.Contains(t.From, d.State) || !d.State.CanBecome(t.To) {
		return Update{}, &TransitionError{From: d.State, To: t.To}
	}
	if !t.To.Closed() && !d.hasRoom(t.Reason) {
		return Update{}, ErrTooManyNotes
	}
	return Update{
		Note:        Note{Kind: NoteKindTransition, Text: t.Reason, Author: t.Actor, Assignee: t.Assignee, State: t.To, CreatedAt: t.At},
		AssetStatus: t.AssetStatus,
		Origin: asset.Origin{
			Cause:     asset.CauseDispute,
			Actor:     t.Actor,
			Reference: fmt.Sprintf("dispute/%d", d.ID),
		},
	}, nil
}

// TransitionError reports a transition that the current state of the dispute does not
// allow. It matches [ErrInvalidTransition].
type TransitionError struct {
	// From is the current state of the dispute.
	From State
	// To is the requested state.
	To State
}

// Error returns a text with both states.
func (e *TransitionError) Error() string {
	return fmt.Sprintf("dispute is %s: cannot transition to %s", e.From, e.To)
}

// Is reports whether target is [ErrInvalidTransition].
func (e *TransitionError) Is(target error) bool { return target == ErrInvalidTransition }
