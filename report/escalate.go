package report

import (
	"context"
	"strconv"

	"github.com/apguard/apguard/idempotency"
)

// EscalateRequest is the request of [ReviewService.Escalate].
type EscalateRequest struct {
	Scope    Scope
	ReportID int64
	// Actor is the user who escalates, or 0 if unknown.
	Actor int64
	// Comment may be empty. It has at most [MaxComment] bytes.
	Comment string
	// Idempotency is as in [ReviewRequest].
	Idempotency idempotency.Key
}

// Validate returns an [*asset.InputError] that names every invalid field.
func (req EscalateRequest) Validate() error {
	return req.review().Validate()
}

// review returns the review that escalates a proposal.
func (req EscalateRequest) review() ReviewRequest {
	return ReviewRequest{Scope: req.Scope, Status: ReviewEscalate, Actor: req.Actor, Comment: req.Comment, Idempotency: req.Idempotency}
}

// Escalate adds an ESCALATE to each undecided proposal of the report, and returns the
// updated report. It adds all of them or none, and changes no asset.
//
// The error is an [*asset.InputError], [ErrNotFound], [ErrTooManyReviews], or
// [ErrDecided] if no proposal is undecided. With a key, it can be [idempotency.ErrReused] or
// [idempotency.ErrInProgress].
func (s *ReviewService) Escalate(ctx context.Context, req EscalateRequest) (Updated, error) {
	if err := req.Validate(); err != nil {
		return Updated{}, err
	}
	at := s.clock()
	fields := func() []string { return []string{strconv.FormatInt(req.ReportID, 10), req.Comment} }
	updated, err := s.store.AddReviews(ctx, ReviewCommand{
		ReviewRequest: req.review(),
		ReportID:      req.ReportID,
		At:            at,
		Claim:         claim(req.Idempotency, "report.escalate", req.Scope, req.Actor, at, fields),
	})
	return s.updated(ctx, req.Scope, updated, err)
}
