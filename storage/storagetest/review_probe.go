package storagetest

import (
	"context"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/step"
)

// reviewOf returns a review of a proposal by user 3.
func reviewOf(proposal report.Proposal, status report.ReviewStatus, milliseconds int) report.Review {
	return report.Review{ProposalID: proposal.ID, Status: status, ReviewedBy: 3, ReviewedAt: at(milliseconds)}
}

// reviewCommand returns a command that adds the review to its proposal, in any
// organization.
func reviewCommand(review report.Review) report.ReviewCommand {
	return report.ReviewCommand{
		ReviewRequest: report.ReviewRequest{
			Scope:      report.AnyOrganization(),
			ProposalID: review.ProposalID,
			Status:     review.Status,
			Actor:      review.ReviewedBy,
			Comment:    review.Comment,
		},
		At: review.ReviewedAt,
	}
}

func addReview(ctx context.Context, store report.ReviewStore, review report.Review) (report.Report, error) {
	return store.AddReviews(ctx, reviewCommand(review))
}

func (p *probe) review(review report.Review) report.Report {
	p.Helper()
	reviewed, err := addReview(p.Context(), p, review)
	require.NoError(p, err, "AddReviews to proposal %d", review.ProposalID)
	return reviewed
}

// decide adds a decision to a proposal and returns its ID.
func (p *probe) decide(proposal report.Proposal, status report.ReviewStatus, milliseconds int) int64 {
	p.Helper()
	reviewed := p.review(reviewOf(proposal, status, milliseconds))
	return proposalOf(p, reviewed, proposal.ID).ReviewID
}

// withdrawCommand returns a command of user 4 that withdraws a review of any organization.
func withdrawCommand(reviewID int64, at time.Time) report.WithdrawCommand {
	return report.WithdrawCommand{
		WithdrawRequest: report.WithdrawRequest{Scope: report.AnyOrganization(), ReviewID: reviewID, Actor: 4, Reason: "why"},
		At:              at,
	}
}

func (p *probe) withdraw(cmd report.WithdrawCommand) report.Report {
	p.Helper()
	got, err := p.WithdrawReview(p.Context(), cmd)
	require.NoError(p, err, "WithdrawReview %d", cmd.ReviewID)
	return got
}

// withdrawAt withdraws a review at a time in milliseconds.
func (p *probe) withdrawAt(reviewID int64, milliseconds int) report.Report {
	p.Helper()
	return p.withdraw(withdrawCommand(reviewID, at(milliseconds)))
}

// escalateRequest returns a request of user 7 that escalates a report of any organization.
func escalateRequest(reportID int64) report.EscalateRequest {
	return report.EscalateRequest{Scope: report.AnyOrganization(), ReportID: reportID, Actor: 7, Comment: "why"}
}

func escalate(ctx context.Context, store report.ReviewStore, req report.EscalateRequest, at time.Time) (report.Report, error) {
	service := report.NewReviewService(store, report.Options{Clock: func() time.Time { return at }})
	updated, err := service.Escalate(ctx, req)
	return updated.Report, err
}

func (p *probe) escalate(reportID int64, milliseconds int) report.Report {
	p.Helper()
	got, err := escalate(p.Context(), p, escalateRequest(reportID), at(milliseconds))
	require.NoError(p, err, "Escalate %d", reportID)
	return got
}

// reviewsOf returns all reviews of a proposal of any organization.
func (p *probe) reviewsOf(proposalID int64) []report.Review {
	p.Helper()
	return p.reviewsAfter(proposalID, 0, noLimit).Items
}

func (p *probe) reviewsAfter(proposalID, after int64, limit int) step.Page[report.Review] {
	p.Helper()
	reviews, err := p.Reviews(p.Context(), report.AnyOrganization(), proposalID, after, limit)
	require.NoError(p, err, "Reviews of %d after %d", proposalID, after)
	return reviews
}

// validReport requires that the status of a report and of its proposals follows from the
// stored reviews.
func (p *probe) validReport(r report.Report) {
	p.Helper()
	for _, proposal := range r.Proposals {
		effective := report.EffectiveReview(p.reviewsOf(proposal.ID))
		require.Equal(p, proposal.Showing(effective), proposal, "a proposal must have the fields of the review in effect")
	}
	require.Equal(p, report.StatusOf(r.Proposals), r.Status, "the status of a report must follow from its proposals")
}
