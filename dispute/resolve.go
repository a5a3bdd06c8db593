package dispute

import (
	"context"
	"strings"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/idempotency"
)

// ResolveRequest is the request of [QueueService.Resolve].
type ResolveRequest struct {
	DisputeID int64
	// State is the decision: ACCEPTED or REJECTED.
	State State
	// AssetStatus is the new status of the asset if the dispute is accepted: UNKNOWN or
	// ALLOWED. It must be empty if the dispute is rejected. An UNKNOWN asset is still blocked
	// by a cover, such as its domain, or by an external list.
	AssetStatus asset.Status
	// Actor is the user who decides, or 0 if unknown.
	Actor int64
	// Reason is required. It has at most [MaxNoteBytes] bytes. The creator of the dispute may read
	// it; see [Service.Get].
	Reason string
	// Idempotency is as in [TransitionRequest].
	Idempotency idempotency.Key
}

// Validate returns an [*asset.InputError] that lists every invalid field, or nil.
func (req ResolveRequest) Validate() error {
	var issues asset.Issues
	switch req.State {
	case StateAccepted:
		ok := req.AssetStatus == asset.StatusUnknown || req.AssetStatus == asset.StatusAllowed
		issues.Check(ok, "assetStatus", "must be UNKNOWN or ALLOWED when the dispute is accepted")
	case StateRejected:
		issues.Check(req.AssetStatus == "", "assetStatus", "must be empty when the dispute is rejected")
	default:
		issues.Add("state", "must be ACCEPTED or REJECTED")
	}
	issues.Check(strings.TrimSpace(req.Reason) != "", "reason", "is required")
	return asset.JoinInput(issues.Err(), req.transition().Validate())
}

func (req ResolveRequest) transition() TransitionRequest {
	return TransitionRequest{DisputeID: req.DisputeID, Actor: req.Actor, Reason: req.Reason, Idempotency: req.Idempotency}
}

// Resolve accepts or rejects an OPEN or UNDER_REVIEW dispute and returns the updated
// dispute. Accepting it also sets the status of the asset, in the same step. If this
// changes the status, the change is recorded with [asset.CauseDispute] as its cause. Of
// several concurrent calls, only one succeeds.
//
// The error is an [*asset.InputError], [ErrNotFound] or a [*TransitionError].
func (s *QueueService) Resolve(ctx context.Context, req ResolveRequest) (Updated, error) {
	if err := req.Validate(); err != nil {
		return Updated{}, err
	}
	return s.transition(ctx, "dispute.resolve", Transition{TransitionRequest: req.transition(), To: req.State, AssetStatus: req.AssetStatus})
}
