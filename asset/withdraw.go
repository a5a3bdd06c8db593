package asset

import (
	"context"

	"github.com/apguard/apguard/idempotency"
)

// WithdrawRequest is the request of [Service.Withdraw].
type WithdrawRequest struct {
	Identity Identity
	// Origin has the actor, and possibly a reference. An empty Cause means [CauseWithdrawal].
	Origin Origin
	// IfStatus and Idempotency are as in [SetStatusRequest].
	IfStatus    Status
	Idempotency idempotency.Key
}

// Validate returns an [*InputError] if a field is missing or invalid.
func (req WithdrawRequest) Validate() error {
	return SetStatusRequest{
		Identity: req.Identity, Status: StatusUnknown, Origin: req.Origin, IfStatus: req.IfStatus, Idempotency: req.Idempotency,
	}.Validate()
}

// fields returns the fields of the request for a fingerprint.
func (req WithdrawRequest) fields() []string {
	return []string{
		string(req.Identity.Type), req.Identity.Canonical, string(req.IfStatus), string(req.Origin.Cause), req.Origin.Reference,
	}
}

// Withdraw takes back what the operators hold on an asset, and returns the updated asset. What else is held
// on it then gives it its status; see [Held]. If that changes the status, it records a [Change].
//
// The error is an [*InputError] if the request is invalid. It is [ErrNoDecision] if the operators hold
// nothing, which also matches [ErrNotFound], or [ErrChanged] if the asset does not have the status
// IfStatus. With a key, it can be [idempotency.ErrReused] or [idempotency.ErrInProgress].
func (s *Service) Withdraw(ctx context.Context, req WithdrawRequest) (Updated, error) {
	if err := req.Validate(); err != nil {
		return Updated{}, err
	}
	if req.Origin.Cause == "" {
		req.Origin.Cause = CauseWithdrawal
	}
	at := s.clock()
	return s.update(ctx, SetStatusesCommand{
		Items:    []StatusItem{{Identity: req.Identity}},
		Origin:   req.Origin,
		At:       at,
		Withdraw: true,
		IfStatus: req.IfStatus,
		Claim:    req.Idempotency.Claim("asset.withdraw", 0, req.Origin.Actor, at, req.fields),
	})
}
