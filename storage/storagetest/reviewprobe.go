package storagetest

import (
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/report"
)

// opinion returns a review of a proposal by user 3.
func opinion(proposal report.Proposal, status report.ReviewStatus, milliseconds int) report.ReviewDraft {
	return report.ReviewDraft{ProposalID: proposal.ID, Status: status, By: 3, At: at(milliseconds)}
}

// decide reviews a proposal and returns the identifier of the review, which must be a
// decision, as no other one is sure to be shown.
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

func (p *probe) withdraw(withdrawal report.Withdrawal) report.Report {
	p.Helper()
	got, err := p.WithdrawReview(p.Context(), withdrawal)
	require.NoError(p, err, "WithdrawReview %d", withdrawal.ReviewID)
	return got
}

// takeBack withdraws a review as user 4.
func (p *probe) takeBack(reviewID int64, milliseconds int) report.Report {
	p.Helper()
	return p.withdraw(report.Withdrawal{ReviewID: reviewID, By: 4, At: at(milliseconds)})
}

func (p *probe) escalate(escalation report.Escalation) report.Report {
	p.Helper()
	got, err := p.EscalateReport(p.Context(), escalation)
	require.NoError(p, err, "EscalateReport %d", escalation.ReportID)
	return got
}

// reportByID returns a report of any organization.
func (p *probe) reportByID(id int64) report.Report {
	p.Helper()
	got, err := p.ReportByID(p.Context(), 0, id)
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
	reviews, err := p.ProposalReviews(p.Context(), 0, proposalID, after, limit)
	require.NoError(p, err, "ProposalReviews of %d after %d", proposalID, after)
	return reviews
}
