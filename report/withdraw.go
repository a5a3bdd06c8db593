package report

import (
	"context"
	"time"

	"github.com/apguard/apguard/asset"
)

// WithdrawRequest is the request of [ReviewService.Withdraw].
type WithdrawRequest struct {
	Scope Scope
	// ReviewID is the ID of the review to withdraw. A [Proposal] has the ReviewID of its
	// review in effect, and [ReviewService.List] returns all reviews.
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
	issues.CheckTextLength("reason", req.Reason, MaxComment)
	return issues.Err()
}

// Withdraw withdraws an APPROVE or a REJECT and returns the updated report. The review is
// kept but no longer counts. The proposal then shows its new [EffectiveReview], and the
// status of the report is updated.
//
// If the review is an APPROVE that changed the status of the asset, Withdraw may restore
// the previous status. It does so if that change is still the asset's last one and no
// other APPROVE of the proposal is in effect. It then records a change with the cause
// [asset.CauseWithdrawal]. Otherwise the asset keeps its status; an approval that confirmed it
// still counts as a confirmation.
//
// The error is an [*asset.InputError], [ErrReviewNotFound], [ErrNotDecision]
// if the review is a SKIP or an ESCALATE, or [ErrWithdrawn] if it is already withdrawn. It
// is [ErrTooManyReviews] if there is no room for the reason.
func (s *ReviewService) Withdraw(ctx context.Context, req WithdrawRequest) (Report, error) {
	if err := req.Validate(); err != nil {
		return Report{}, err
	}
	return s.store.WithdrawReview(ctx, WithdrawCommand{WithdrawRequest: req, At: s.clock()})
}

// WithdrawCommand is a valid request and the time of the withdrawal.
type WithdrawCommand struct {
	WithdrawRequest
	At time.Time
}

// Withdrawal is a stored review and the stored data that its withdrawal depends on.
// LastChange may be zero if the ChangeID of the review is 0.
type Withdrawal struct {
	ReportID int64
	Review   Review
	// Total counts the proposal's reviews, including this one.
	Total ReviewTotal
	// Effective is the [EffectiveReview] of the proposal's other reviews.
	Effective Review
	// LastChange is the last change of the asset. Only its ID and From are needed.
	LastChange asset.Change
}

// WithdrawResult is what a withdrawal stores.
type WithdrawResult struct {
	// Review is the withdrawn review.
	Review Review
	// AssetStatus is the status to restore. Empty leaves the asset unchanged.
	AssetStatus asset.Status
	// Origin is the origin of the change of the status.
	Origin asset.Origin
}

// Apply returns the result of the withdrawal. The error is [ErrNotDecision],
// [ErrWithdrawn] or [ErrTooManyReviews].
func (cmd WithdrawCommand) Apply(w Withdrawal) (WithdrawResult, error) {
	review := w.Review
	switch {
	case !review.Status.Decides():
		return WithdrawResult{}, ErrNotDecision
	case review.Withdrawn():
		return WithdrawResult{}, ErrWithdrawn
	case !w.Total.hasRoomForText(cmd.Reason):
		return WithdrawResult{}, ErrTooManyReviews
	}
	review.WithdrawnAt, review.WithdrawnBy, review.WithdrawnReason = asset.TruncateTime(cmd.At), cmd.Actor, cmd.Reason
	result := WithdrawResult{Review: review, Origin: origin(asset.CauseWithdrawal, cmd.Actor, w.ReportID)}
	if w.changedLast() && w.Effective.Status != ReviewApprove {
		result.AssetStatus = w.LastChange.From
	}
	return result, nil
}

// changedLast reports whether the review made the last change of the asset.
func (w Withdrawal) changedLast() bool {
	return w.Review.ChangeID != 0 && w.Review.ChangeID == w.LastChange.ID
}
