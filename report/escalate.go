package report

import "context"

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
	return req.review().Validate()
}

// review returns the review that escalates a proposal.
func (req EscalateRequest) review() ReviewRequest {
	return ReviewRequest{Scope: req.Scope, Status: ReviewEscalate, Actor: req.Actor, Comment: req.Comment}
}

// Escalate adds an ESCALATE to each undecided proposal of the report, and returns the
// updated report. It adds all of them or none, and changes no asset.
//
// The error is an [*asset.InputError], [ErrNotFound], [ErrTooManyReviews], or
// [ErrDecided] if no proposal is undecided.
func (s *ReviewService) Escalate(ctx context.Context, req EscalateRequest) (Report, error) {
	if err := req.Validate(); err != nil {
		return Report{}, err
	}
	return s.store.AddReviews(ctx, ReviewCommand{ReviewRequest: req.review(), ReportID: req.ReportID, At: s.clock()})
}
