package storagetest

import (
	"context"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/report"
)

func (p *probe) file(cmd report.FileCommand) report.Report {
	p.Helper()
	filed, err := p.FileReport(p.Context(), cmd)
	require.NoError(p, err, "FileReport %q", cmd.Title)
	require.Len(p, filed.Proposals, len(cmd.Proposals), "FileReport returns the proposals")
	return filed
}

// reports returns all reports of an organization, or of any for 0, that the filter matches.
func (p *probe) reports(organizationID int64, filter report.Filter) []report.Report {
	p.Helper()
	return p.reportsBelow(organizationID, filter, 0, everything)
}

func (p *probe) reportsBelow(organizationID int64, filter report.Filter, cursor int64, limit int) []report.Report {
	p.Helper()
	reports, err := p.Reports(p.Context(), report.ListRequest{
		Scope: scopeOf(organizationID), Filter: filter, Cursor: cursor, Limit: limit,
	})
	require.NoError(p, err, "Reports of organization %d", organizationID)
	return reports
}

// newestReport returns the first report of an organization.
func (p *probe) newestReport(organizationID int64) report.Report {
	p.Helper()
	return only(p, p.reportsBelow(organizationID, report.Filter{}, 0, 1))
}

// opinion returns a review of a proposal by user 3.
func opinion(proposal report.Proposal, status report.ReviewStatus, milliseconds int) report.Review {
	return report.Review{ProposalID: proposal.ID, Status: status, ReviewedBy: 3, ReviewedAt: at(milliseconds)}
}

// addReview adds a review to its proposal, in any organization.
func addReview(ctx context.Context, store report.ReviewStore, review report.Review) (report.Report, error) {
	target := report.Target{Scope: report.AnyOrganization(), ProposalID: review.ProposalID}
	return store.AddReviews(ctx, target, func(report.Report) ([]report.Review, error) { return []report.Review{review}, nil })
}

func (p *probe) review(review report.Review) report.Report {
	p.Helper()
	reviewed, err := addReview(p.Context(), p, review)
	require.NoError(p, err, "AddReviews to proposal %d", review.ProposalID)
	return reviewed
}

// decide reviews a proposal and returns the ID of the review, which must be a decision,
// as no other one is sure to be shown.
func (p *probe) decide(proposal report.Proposal, status report.ReviewStatus, milliseconds int) int64 {
	p.Helper()
	reviewed := p.review(opinion(proposal, status, milliseconds))
	return proposalOf(p, reviewed, proposal.ID).ReviewID
}

// proposalOf returns a proposal of a report.
func proposalOf(p *probe, r report.Report, id int64) report.Proposal {
	p.Helper()
	found := find(r.Proposals, func(proposal report.Proposal) bool { return proposal.ID == id })
	require.NotNil(p, found, "report %d must have the proposal %d", r.ID, id)
	return *found
}

// withdrawal returns the withdrawal of a review of any organization by user 4.
func withdrawal(reviewID int64, at time.Time) report.WithdrawCommand {
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

// takeBack withdraws a review.
func (p *probe) takeBack(reviewID int64, milliseconds int) report.Report {
	p.Helper()
	return p.withdraw(withdrawal(reviewID, at(milliseconds)))
}

// escalation returns a request of user 7 to escalate a report of any organization.
func escalation(reportID int64) report.EscalateRequest {
	return report.EscalateRequest{Scope: report.AnyOrganization(), ReportID: reportID, Actor: 7, Comment: "why"}
}

func escalate(ctx context.Context, store report.ReviewStore, req report.EscalateRequest, at time.Time) (report.Report, error) {
	service := report.NewReviewService(store, report.Options{Clock: func() time.Time { return at }})
	return service.Escalate(ctx, req)
}

func (p *probe) escalate(reportID int64, milliseconds int) report.Report {
	p.Helper()
	got, err := escalate(p.Context(), p, escalation(reportID), at(milliseconds))
	require.NoError(p, err, "Escalate %d", reportID)
	return got
}

// reportByID returns a report of any organization.
func (p *probe) reportByID(id int64) report.Report {
	p.Helper()
	got, err := p.ReportByID(p.Context(), report.AnyOrganization(), id)
	require.NoError(p, err, "ReportByID %d", id)
	return got
}

// reviewsOf returns all reviews of a proposal of any organization.
func (p *probe) reviewsOf(proposalID int64) []report.Review {
	p.Helper()
	return p.reviewsAfter(proposalID, 0, everything)
}

func (p *probe) reviewsAfter(proposalID, after int64, limit int) []report.Review {
	p.Helper()
	reviews, err := p.Reviews(p.Context(), report.AnyOrganization(), proposalID, after, limit)
	require.NoError(p, err, "Reviews of %d after %d", proposalID, after)
	return reviews
}

// scopeOf returns the scope of an organization, or of any for 0.
func scopeOf(organizationID int64) report.Scope {
	if organizationID == 0 {
		return report.AnyOrganization()
	}
	return report.InOrganization(organizationID)
}
