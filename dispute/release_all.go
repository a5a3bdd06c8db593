package dispute

import (
	"context"
	"errors"
	"time"

	"github.com/apguard/apguard/asset"
)

// ReleaseAllRequest is the request of [QueueService.ReleaseAll].
type ReleaseAllRequest struct {
	// Assignee is the user whose disputes are released.
	Assignee int64
	// Actor is the user who releases them, or 0 if unknown.
	Actor int64
	// Reason may be empty. It has at most [MaxNoteBytes] bytes.
	Reason string
}

// Validate returns an [*asset.InputError] that lists every invalid field, or nil.
func (req ReleaseAllRequest) Validate() error {
	var issues asset.Issues
	issues.CheckUser("assigneeId", req.Assignee)
	issues.Check(req.Assignee != 0, "assigneeId", "is required")
	return asset.JoinInput(issues.Err(), TransitionRequest{Actor: req.Actor, Reason: req.Reason}.Validate())
}

// ReleaseAll releases every dispute that a user has under review, as [QueueService.Release] does, and returns their
// number, even if it fails. A dispute without room for another note stays as it is. Each dispute is released in a step
// of its own. If ReleaseAll fails, the next call releases the rest.
//
// The error is an [*asset.InputError] if the request is invalid.
func (s *QueueService) ReleaseAll(ctx context.Context, req ReleaseAllRequest) (released int, err error) {
	if err := req.Validate(); err != nil {
		return 0, err
	}
	list := ListRequest{Filter: Filter{States: []State{StateUnderReview}, Assignee: req.Assignee}, Limit: MaxLimit}
	for more := true; more; more = list.Cursor != (Cursor{}) {
		page, err := s.List(ctx, list)
		if err != nil {
			return released, err
		}
		for _, d := range page.Disputes {
			done, err := s.releaseHeld(ctx, d.ID, req)
			if err != nil {
				return released, err
			}
			if done {
				released++
			}
		}
		list.Cursor = page.NextCursor
	}
	return released, nil
}

// releaseHeld releases a dispute of the assignee, and reports whether it did.
func (s *QueueService) releaseHeld(ctx context.Context, id int64, req ReleaseAllRequest) (bool, error) {
	cmd := ReleaseHeldCommand{ReleaseAllRequest: req, At: s.clock()}
	_, err := s.store.UpdateDispute(ctx, UpdateCommand{DisputeID: id, Apply: cmd.Apply})
	if errors.Is(err, ErrInvalidTransition) || errors.Is(err, ErrTooManyNotes) || errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// ReleaseHeldCommand releases a dispute if the assignee still has it.
type ReleaseHeldCommand struct {
	ReleaseAllRequest
	At time.Time
}

// Apply returns the update that releases d. The error is a [*TransitionError], also if another user reviews d, or
// [ErrTooManyNotes].
func (cmd ReleaseHeldCommand) Apply(d Dispute) (Update, error) {
	if d.Assignee != cmd.Assignee {
		return Update{}, &TransitionError{From: d.State, To: StateOpen}
	}
	request := TransitionRequest{DisputeID: d.ID, Actor: cmd.Actor, Reason: cmd.Reason}
	return Transition{TransitionRequest: request, From: []State{StateUnderReview}, To: StateOpen, At: cmd.At}.Apply(d)
}
