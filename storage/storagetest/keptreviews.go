package storagetest

import (
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

// statusesOf returns the review statuses of reviews, in their order.
func statusesOf(reviews []report.Review) []report.ReviewStatus {
	list := make([]report.ReviewStatus, len(reviews))
	for i, review := range reviews {
		list[i] = review.Status
	}
	return list
}

func keptReviewChecks() []check {
	const (
		approve  = report.ReviewApprove
		reject   = report.ReviewReject
		skip     = report.ReviewSkip
		escalate = report.ReviewEscalate
	)
	return []check{
		{"a review is read back with every field", func(p *probe) {
			proposal := p.file(filing("report", 1)).Proposals[0]
			p.review(report.ReviewDraft{ProposalID: proposal.ID, Status: approve, By: asset.MaxID, Comment: "why", At: at(9)})
			p.review(report.ReviewDraft{ProposalID: proposal.ID, Status: skip, At: at(8)})
			require.Equal(p, []report.Review{
				{ID: 1, ProposalID: proposal.ID, Status: approve, By: asset.MaxID, Comment: "why", At: at(9)},
				{ID: 2, ProposalID: proposal.ID, Status: skip, At: at(8)},
			}, p.reviewsOf(proposal.ID))
		}},
		{"a withdrawn review is kept with every field", func(p *probe) {
			proposal := p.file(filing("report", 1)).Proposals[0]
			first := p.decide(proposal, reject, 5)
			second := p.decide(proposal, reject, 6)
			p.withdraw(report.Withdrawal{ReviewID: first, By: asset.MaxID, Reason: "why", At: at(7)})
			require.Equal(p, []report.Review{
				{ID: first, ProposalID: proposal.ID, Status: reject, By: 3, At: at(5), WithdrawnAt: at(7), WithdrawnBy: asset.MaxID, WithdrawnReason: "why"},
				{ID: second, ProposalID: proposal.ID, Status: reject, By: 3, At: at(6)},
			}, p.reviewsOf(proposal.ID))
		}},
		{"the reviews of a proposal are its own, by identifier and not by time", func(p *probe) {
			filed := p.file(filing("report", 1, 2))
			for i, status := range []report.ReviewStatus{skip, reject, escalate} {
				p.review(opinion(filed.Proposals[0], status, -i))
				p.review(opinion(filed.Proposals[1], approve, -i))
			}
			require.Equal(p, []report.ReviewStatus{skip, reject, escalate}, statusesOf(p.reviewsOf(filed.Proposals[0].ID)))
			require.Equal(p, []report.ReviewStatus{approve, approve, approve}, statusesOf(p.reviewsOf(filed.Proposals[1].ID)))
		}},
		{"a proposal without reviews has none", func(p *probe) {
			require.Empty(p, p.reviewsOf(p.file(filing("report", 1)).Proposals[0].ID))
		}},
		{"pages of every size give all reviews", func(p *probe) {
			proposal := p.file(filing("report", 1)).Proposals[0]
			for i := range 7 {
				p.review(opinion(proposal, report.ReviewStatuses()[i%4], i))
			}
			whole := p.reviewsOf(proposal.ID)
			require.Len(p, whole, 7)
			for size := 1; size <= 8; size++ {
				require.Equal(p, whole, allPages(p, size, func(last report.Review) []report.Review {
					return p.reviewsAfter(proposal.ID, last.ID, size)
				}), "pages of %d", size)
			}
		}},
		{"the last decision stands, over what decides nothing", func(p *probe) {
			proposal := p.file(filing("report", 1)).Proposals[0]
			for i, step := range []struct {
				review report.ReviewStatus
				stands int64
				status report.Status
			}{
				{skip, 1, report.StatusTodo},
				{escalate, 2, report.StatusTodo},
				{reject, 3, report.StatusClosed},
				{skip, 3, report.StatusClosed},
				{approve, 5, report.StatusClosed},
				{escalate, 5, report.StatusClosed},
				{reject, 7, report.StatusClosed},
			} {
				got := p.review(opinion(proposal, step.review, 10-i))
				require.Equal(p, step.stands, got.Proposals[0].ReviewID, "after step %d", i+1)
				require.Equal(p, step.status, got.Status, "after step %d", i+1)
				require.Equal(p, at(10-i), got.UpdatedAt, "each review updates the report")
				require.Equal(p, got, p.newestReport(1))
			}
		}},
		{"a review after the clock was set back does not update a report to before its creation", func(p *probe) {
			filed := p.file(filing("report", 1, 2))
			id := p.decide(filed.Proposals[0], approve, -5)
			require.Equal(p, at(0), p.newestReport(1).UpdatedAt)
			require.Equal(p, at(-5), p.newestReport(1).Proposals[0].ReviewedAt, "the review has its own time")
			require.Equal(p, at(0), p.takeBack(id, -6).UpdatedAt)
			require.Equal(p, at(0), p.escalate(report.Escalation{ReportID: filed.ID, At: at(-7)}).UpdatedAt)
			require.Equal(p, at(1), p.review(opinion(filed.Proposals[0], skip, 1)).UpdatedAt)
		}},
		{"a report is found by its identifier, of its organization or of any", func(p *probe) {
			f := filing("other", 1)
			f.OrganizationID, f.ReporterID = 2, 3
			p.file(filing("report", 1))
			filed := p.file(f)
			reviewed := p.review(opinion(filed.Proposals[0], approve, 1))
			for _, organization := range []int64{0, 2} {
				got, err := p.ReportByID(p.Context(), organization, filed.ID)
				require.NoError(p, err)
				require.Equal(p, reviewed, got)
			}
		}},
		{"what belongs to another organization is as if it did not exist", func(p *probe) {
			f := filing("report", 1)
			f.OrganizationID = 2
			filed := p.file(f)
			proposal := filed.Proposals[0]
			review := p.decide(proposal, reject, 1)
			p.review(opinion(proposal, skip, 2))
			before, kept := p.reportByID(filed.ID), p.reviewsOf(proposal.ID)
			for _, organization := range []int64{1, 3, -1, asset.MaxID} {
				p.notFound(organization, filed.ID, proposal.ID, review)
				p.notFound(organization, filed.ID, proposal.ID, review+1) // which could not be withdrawn
			}
			for _, id := range []int64{0, -1, 1000, asset.MaxID} {
				p.notFound(0, id, id, id)
				p.notFound(2, id, id, id)
			}
			require.Equal(p, before, p.reportByID(filed.ID))
			require.Equal(p, kept, p.reviewsOf(proposal.ID))
			require.Empty(p, p.changes(asset.ChangeFilter{}))
		}},
		{"every method takes what belongs to its organization", func(p *probe) {
			f := filing("report", 1, 2)
			f.OrganizationID = 2
			filed := p.file(f)
			draft := opinion(filed.Proposals[0], approve, 1)
			draft.OrganizationID = 2
			id := p.review(draft).Proposals[0].ReviewID
			p.withdraw(report.Withdrawal{OrganizationID: 2, ReviewID: id, At: at(2)})
			p.escalate(report.Escalation{OrganizationID: 2, ReportID: filed.ID, At: at(3)})
			reviews, err := p.ProposalReviews(p.Context(), 2, filed.Proposals[0].ID, 0, 10)
			require.NoError(p, err)
			require.Equal(p, []report.ReviewStatus{approve, escalate}, statusesOf(reviews))
		}},
		{"many reviews of one proposal are all kept", func(p *probe) {
			proposal := p.file(filing("report", 1)).Proposals[0]
			first := p.decide(proposal, reject, 0)
			for i := range 99 {
				require.Equal(p, first, p.review(opinion(proposal, skip, i)).Proposals[0].ReviewID)
			}
			require.Len(p, p.reviewsOf(proposal.ID), 100)
			require.Equal(p, first+99, p.takeBack(first, 1).Proposals[0].ReviewID)
		}},
	}
}

// notFound demands that the organization has no such report, proposal and review.
func (p *probe) notFound(organizationID, reportID, proposalID, reviewID int64) {
	p.Helper()
	ctx := p.Context()
	_, err := p.ReportByID(ctx, organizationID, reportID)
	require.ErrorIs(p, err, report.ErrNotFound, "report %d of organization %d", reportID, organizationID)
	_, err = p.EscalateReport(ctx, report.Escalation{OrganizationID: organizationID, ReportID: reportID, At: at(9)})
	require.ErrorIs(p, err, report.ErrNotFound, "report %d of organization %d", reportID, organizationID)
	_, err = p.ReviewProposal(ctx, report.ReviewDraft{OrganizationID: organizationID, ProposalID: proposalID, Status: report.ReviewApprove, At: at(9)})
	require.ErrorIs(p, err, report.ErrProposalNotFound, "proposal %d of organization %d", proposalID, organizationID)
	_, err = p.ProposalReviews(ctx, organizationID, proposalID, 0, 10)
	require.ErrorIs(p, err, report.ErrProposalNotFound, "proposal %d of organization %d", proposalID, organizationID)
	_, err = p.WithdrawReview(ctx, report.Withdrawal{OrganizationID: organizationID, ReviewID: reviewID, At: at(9)})
	require.ErrorIs(p, err, report.ErrReviewNotFound, "review %d of organization %d", reviewID, organizationID)
}
