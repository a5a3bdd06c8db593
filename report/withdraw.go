package report

import (
	"context"
	"time"

	"github.com/apguard/apguard/asset"
)

// WithdrawRequest asks to withdraw an APPROVE or a REJECT.
type WithdrawRequest struct {
	Scope Scope
	// ReviewID is the review to withdraw. The review that a proposal shows is its
	// [Proposal.ReviewID]; [ReviewService.List] returns all of them.
	ReviewID int64
	// Actor is the user who withdraws the review, or 0 if unknown.
	Actor int64
	// Reason may be empty. It has at most [MaxComment] bytes.
	Reason string
}

// Validate returns an [*asset.InputError] that names every invalid field.
func (req WithdrawRequest) Validate() error {
	var issues asset.Issues
	req.Scope.check(&issues)
	issues.CheckUser("actor", req.Actor)
	checkTextLength(&issues, "reason", req.Reason, MaxComment)
	return issues.Err()
}

// Withdraw withdraws an APPROVE or a REJECT and returns the updated report. The review
// is kept but no longer counts: the proposal shows its [EffectiveReview], and the status
// of the report follows.
//
// Withdrawing an APPROVE that changed the asset puts the asset back to the status that
// it had before, if that change is the asset's last one and no other APPROVE of the
// proposal is in effect. The change has the cause [asset.CauseWithdrawal]. Otherwise
// the asset stays as it is.
//
// The error is that of [WithdrawRequest.Validate], [ErrReviewNotFound], [ErrNotDecision]
// if the review is a SKIP or an ESCALATE, or [ErrWithdrawn] if it is withdrawn already.
func (s *ReviewService) Withdraw(ctx context.Context, req WithdrawRequest) (Report, error) {
	if err := req.Validate(); err != nil {
		return Report{}, err
	}
	return s.store.WithdrawReview(ctx, WithdrawCommand{WithdrawRequest: req, At: asset.TruncateTime(s.clock())})
}

// WithdrawCommand is a valid request and the time of the withdrawal.
type WithdrawCommand struct {
	WithdrawRequest
	At time.Time
}

// Apply returns the review after the withdrawal. The error is [ErrNotDecision] or
// [ErrWithdrawn].
func (c WithdrawCommand) Apply(old Review) (Review, error) {
	switch {
	case !old.Status.Decides():
		return Review{}, ErrNotDecision
	case old.Withdrawn():
		return Review{}, ErrWithdrawn
	}
	old.WithdrawnAt, old.WithdrawnBy, old.WithdrawnReason = asset.TruncateTime(c.At), c.Actor, c.Reason
	return old, nil
}

// Restores reports whether the withdrawal of a review puts the asset back to the status
// before its last change. Effective is the proposal's [EffectiveReview] after the
// withdrawal. Last is the change of the asset with the largest ID, or the zero Change
// if the asset has none; it matters only if the review has a ChangeID.
func Restores(withdrawn, effective Review, last asset.Change) bool {
	return withdrawn.ChangeID != 0 && withdrawn.ChangeID == last.ID && effective.Status != ReviewApprove
}

// Origin returns the origin of the change that puts the asset of a report's proposal
// back.
func (c WithdrawCommand) Origin(reportID int64) asset.Origin {
	return origin(asset.CauseWithdrawal, c.Actor, reportID)
}
