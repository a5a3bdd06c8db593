package report

import (
	"context"
	"strconv"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/idempotency"
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
	// IfReview and Idempotency are as in [ReviewRequest].
	IfReview    *int64
	Idempotency idempotency.Key
}

// Validate returns an [*asset.InputError] that names every invalid field.
func (req WithdrawRequest) Validate() error {
	var issues asset.Issues
	req.Scope.check(&issues)
	issues.CheckUser("actor", req.Actor)
	issues.CheckTextLength("reason", req.Reason, MaxComment)
	checkIfReview(&issues, req.IfReview)
	issues.CheckIdempotency(req.Idempotency)
	return issues.Err()
}

// fields returns the fields of the request for a fingerprint.
func (req WithdrawRequest) fields() []string {
	return []string{strconv.FormatInt(req.ReviewID, 10), req.Reason, ifReviewField(req.IfReview)}
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
// is [asset.ErrChanged] if IfReview is not the review in effect, or [ErrTooManyReviews] if there
// is no room for the reason. With a key, it can be [idempotency.ErrReused] or
// [idempotency.ErrInProgress].
func (s *ReviewService) Withdraw(ctx context.Context, req WithdrawRequest) (Updated, error) {
	if err := req.Validate(); err != nil {
		return Updated{}, err
	}
	at := s.clock()
	updated, err := s.store.WithdrawReview(ctx, WithdrawCommand{
		WithdrawRequest: req,
		At:              at,
		Claim:           claim(req.Idempotency, "report.withdraw", req.Scope, req.Actor, at, req.fields),
	})
	return s.updated(ctx, req.Scope, updated, err)
}

// WithdrawCommand is a valid request and the time of the withdrawal.
type WithdrawCommand struct {
	WithdrawRequest
	At time.Time
	// Claim is zero for a request without a key.
	Claim idempotency.Claim
}

// Record returns the record that the store keeps with the withdrawal if cmd.Claim is not zero.
func (cmd WithdrawCommand) Record(updated Report) idempotency.Record {
	return record(cmd.Claim, updated)
}

// Withdrawal is a stored review and the stored data that its withdrawal depends on.
// LastChange may be zero if the ChangeID of the review is 0.
type Withdrawal struct {
	ReportID int64
	Review   Review
	// Total counts the proposal's reviews, including this one.
	Total ReviewTotal
	// Shown is the ReviewID of the proposal, which is the review in effect.
	Shown int64
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

// Apply returns the result of the withdrawal. The error is [ErrNotDecision], [ErrWithdrawn],
// [asset.ErrChanged] or [ErrTooManyReviews].
func (cmd WithdrawCommand) Apply(w Withdrawal) (WithdrawResult, error) {
	review := w.Review
	switch {
	case !review.Status.Decides():
		return WithdrawResult{}, ErrNotDecision
	case review.Withdrawn():
		return WithdrawResult{}, ErrWithdrawn
	case changed(cmd.IfReview, w.Shown):
		return WithdrawResult{}, asset.ErrChanged
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
