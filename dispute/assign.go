package dispute

import (
	"context"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/idempotency"
)

// AssignRequest is the request of [QueueService.Assign].
type AssignRequest struct {
	DisputeID int64
	// Actor is the user who assigns the dispute, or 0 if unknown.
	Actor int64
	// Assignee is the user who gets the dispute. 0 means the actor. Another one must be an active user of the store.
	Assignee int64
	// Reason may be empty. It has at most [MaxNoteBytes] bytes.
	Reason string
	// Idempotency is as in [TransitionRequest].
	Idempotency idempotency.Key
}

// Validate returns an [*asset.InputError] that lists every invalid field, or nil.
func (req AssignRequest) Validate() error {
	var issues asset.Issues
	issues.CheckUser("assigneeId", req.Assignee)
	return asset.JoinInput(issues.Err(), req.transition().Validate())
}

func (req AssignRequest) transition() TransitionRequest {
	return TransitionRequest{DisputeID: req.DisputeID, Actor: req.Actor, Reason: req.Reason, Idempotency: req.Idempotency}
}

// Assign is [QueueService.StartReview] for the assignee, who has the dispute then. To give somebody else a dispute that
// is under review, release it first.
//
// The errors are those of StartReview. It is an [*asset.InputError], too, if the store has no active user with the ID
// of the assignee.
func (s *QueueService) Assign(ctx context.Context, req AssignRequest) (Updated, error) {
	if err := req.Validate(); err != nil {
		return Updated{}, err
	}
	if req.Assignee == req.Actor {
		req.Assignee = 0
	}
	return s.transition(ctx, "dispute.startReview", Transition{TransitionRequest: req.transition(), To: StateUnderReview, Assignee: req.Assignee})
}

// CheckAssignee returns an [*asset.InputError] unless the stored user can get a dispute. The zero User is none. Stores
// call it.
func (cmd UpdateCommand) CheckAssignee(user account.User) error {
	var issues asset.Issues
	issues.Check(user.ID != 0 && !user.Deactivated, "assigneeId", "must be an active user")
	return issues.Err()
}
