package report

import (
	"context"
	"strconv"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/step"
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
// If no other APPROVE of the proposal is in effect, Withdraw also undoes the decision that the review
// took on the asset: the one that it replaced stands again, unless operators have decided since; see
// [asset.Held.Revert]. If that changes the status, it records a change with the cause
// [asset.CauseWithdrawal].
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
type Withdrawal struct {
	ReportID int64
	Review   Review
	// Total counts the proposal's reviews, including this one.
	Total ReviewTotal
	// Shown is the ReviewID of the proposal, which is the review in effect.
	Shown int64
	// Effective is the [EffectiveReview] of the proposal's other reviews.
	Effective Review
	// Held is what is held on the asset. Only the decision of the operators is needed.
	Held asset.Held
}

// WithdrawResult is what a withdrawal stores.
type WithdrawResult struct {
	// Review is the withdrawn review.
	Review Review
	// Reverts reports whether the decision of the review is undone; see [asset.Held.Revert]. Origin is the
	// origin of the change of the status.
	Reverts bool
	Origin  asset.Origin
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
	review.WithdrawnAt, review.WithdrawnBy, review.WithdrawnReason = step.TruncateTime(cmd.At), cmd.Actor, cmd.Reason
	result := WithdrawResult{Review: review, Origin: origin(asset.CauseWithdrawal, cmd.Actor, w.ReportID)}
	_, reverts := w.Held.Revert(review.DecidedAt, cmd.At)
	result.Reverts = reverts && w.Effective.Status != ReviewApprove
	return result, nil
}
