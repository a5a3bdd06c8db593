package report

import (
	"context"
	"time"

	"github.com/apguard/apguard/asset"
)

// EscalateRequest is the request of [ReviewService.Escalate].
type EscalateRequest struct {
	Scope    Scope
	ReportID int64
	// Actor is the user who escalates, or 0 if unknown.
	Actor int64
	// Comment may be empty. It has at most [MaxComment] bytes.
	Comment string
}

// Validate returns an [*asset.InputError] that names every invalid field.
func (req EscalateRequest) Validate() error {
	var issues asset.Issues
	req.Scope.check(&issues)
	issues.CheckUser("actor", req.Actor)
	issues.CheckTextSize("comment", req.Comment, MaxComment)
	return issues.Err()
}

// Escalate adds an ESCALATE to each undecided proposal of the report, and returns the
// updated report. It adds all of them or none, and changes no asset.
//
// The error is that of [EscalateRequest.Validate], [ErrNotFound], or [ErrDecided] if no
// proposal is undecided.
func (s *ReviewService) Escalate(ctx context.Context, req EscalateRequest) (Report, error) {
	if err := req.Validate(); err != nil {
		return Report{}, err
	}
	at := s.clock()
	target := Target{Scope: req.Scope, ReportID: req.ReportID}
	return s.store.AddReviews(ctx, target, func(r Report) ([]Review, error) { return req.reviews(r, at) })
}

// reviews returns the reviews that escalate the report.
func (req EscalateRequest) reviews(r Report, at time.Time) ([]Review, error) {
	var reviews []Review
	for _, p := range r.Proposals {
		if !p.ReviewStatus.Decides() {
			reviews = append(reviews, newReview(p.ID, ReviewEscalate, req.Actor, req.Comment, at))
		}
	}
	if len(reviews) == 0 {
		return nil, ErrDecided
	}
	return reviews, nil
}
