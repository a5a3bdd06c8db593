package storagetest

import (
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/step"
)

func reviewChecks() []requirement {
	return []requirement{
		{"a review changes only its proposal", func(p *probe) {
			filed := p.file(fileCommand("report", 1, 2))
			want := filed
			want.Status = report.StatusInProgress
			want.UpdatedAt = at(9)
			want.Proposals[1].ReviewID = 1
			want.Proposals[1].ReviewStatus = report.ReviewReject
			want.Proposals[1].ReviewedBy = asset.MaxID
			want.Proposals[1].ReviewedAt = at(9)
			got := p.review(report.Review{ProposalID: filed.Proposals[1].ID, Status: report.ReviewReject, ReviewedBy: asset.MaxID, ReviewedAt: at(9)})
			require.Equal(p, want, got)
			require.Equal(p, []report.Report{want}, p.reports(1, report.Filter{}))
			for _, scope := range []report.Scope{report.InOrganization(1), report.AnyOrganization()} {
				proposal, err := p.Proposal(p.Context(), scope, filed.Proposals[1].ID)
				require.NoError(p, err, "Proposal")
				require.Equal(p, want.Proposals[1], proposal)
			}
		}},
	}
}

func storedReviewChecks() []requirement {
	const (
		approve   = report.ReviewApprove
		reject    = report.ReviewReject
		skip      = report.ReviewSkip
		escalated = report.ReviewEscalate
	)
	return []requirement{
		{"a review is read back with every field", func(p *probe) {
			proposal := p.newProposal()
			p.review(report.Review{ProposalID: proposal.ID, Status: approve, ReviewedBy: asset.MaxID, Comment: "why", ReviewedAt: at(9)})
			p.review(report.Review{ProposalID: proposal.ID, Status: skip, ReviewedAt: at(8)})
			require.Equal(p, []report.Review{
				{ID: 1, ProposalID: proposal.ID, Status: approve, ReviewedBy: asset.MaxID, Comment: "why", ReviewedAt: at(9), ChangeID: p.newestChange().ID, DecidedAt: at(9)},
				{ID: 2, ProposalID: proposal.ID, Status: skip, ReviewedAt: at(8)},
			}, p.reviewsOf(proposal.ID))
		}},
		{"the backlog has the reports that are not closed", func(p *probe) {
			require.Zero(p, p.reportBacklog(report.AnyOrganization()))
			cmd := fileCommand("report", 1, 2)
			cmd.At = at(3)
			first := p.file(cmd)
			cmd.At, cmd.OrganizationID = at(2), 2
			second := p.file(cmd)
			require.Equal(p, report.Backlog{Todo: 2, OldestAt: at(3)}, p.reportBacklog(report.AnyOrganization()), "the first one by ID")
			require.Equal(p, report.Backlog{Todo: 1, OldestAt: at(2)}, p.reportBacklog(report.InOrganization(2)))
			p.review(reviewOf(first.Proposals[0], reject, 4))
			require.Equal(p, report.Backlog{Todo: 1, InProgress: 1, OldestAt: at(2)}, p.reportBacklog(report.AnyOrganization()))
			p.review(reviewOf(first.Proposals[1], reject, 5))
			p.review(reviewOf(second.Proposals[1], skip, 6))
			require.Equal(p, report.Backlog{Todo: 1, OldestAt: at(2)}, p.reportBacklog(report.AnyOrganization()))
			require.Zero(p, p.reportBacklog(report.InOrganization(1)))
		}},
		{"pages of every size return all reviews", func(p *probe) {
			proposal := p.newProposal()
			for i := range 7 {
				p.review(reviewOf(proposal, report.ReviewStatuses()[i%4], i))
			}
			whole := p.reviewsOf(proposal.ID)
			require.Len(p, whole, 7)
			everyPageSize(p, whole, func(last report.Review, size int) step.Page[report.Review] {
				return p.reviewsAfter(proposal.ID, last.ID, size)
			})
		}},
		{"records of another organization are not found", func(p *probe) {
			f := fileCommand("report", 1)
			f.OrganizationID = 2
			filed := p.file(f)
			proposal := filed.Proposals[0]
			review := p.decide(proposal, reject, 1)
			p.review(reviewOf(proposal, skip, 2))
			before, stored := p.reportByID(filed.ID), p.reviewsOf(proposal.ID)
			for _, scope := range []report.Scope{{}, report.InOrganization(0), report.InOrganization(1), report.InOrganization(-1), report.InOrganization(asset.MaxID)} {
				p.notFound(scope, filed.ID, proposal.ID, review)
				p.notFound(scope, filed.ID, proposal.ID, review+1) // a SKIP
			}
			for _, id := range []int64{0, -1, 1000, asset.MaxID} {
				p.notFound(report.AnyOrganization(), id, id, id)
				p.notFound(report.InOrganization(2), id, id, id)
			}
			pruned := p.pruneReports(report.PruneCommand{Before: maxTime, Limit: 10})
			require.Equal(p, step.Pruned[int64]{Done: true}, pruned, "the zero scope")
			require.Equal(p, before, p.reportByID(filed.ID))
			require.Equal(p, stored, p.reviewsOf(proposal.ID))
			require.Empty(p, p.changes(asset.ChangeFilter{}))
		}},
		{"a command without a proposal approves all undecided ones in one step", func(p *probe) {
			filed := p.file(fileCommand("report", 1, 2, 3))
			p.review(reviewOf(filed.Proposals[1], reject, 4))
			cmd := reviewCommand(reviewOf(report.Proposal{}, approve, 5))
			cmd.ReportID = filed.ID
			got, err := p.AddReviews(p.Context(), cmd)
			require.NoError(p, err)
			require.Equal(p, got, p.reportByID(filed.ID))
			require.Equal(p, report.StatusClosed, got.Status)
			require.Equal(p, at(5), got.UpdatedAt)
			changes := p.changes(asset.ChangeFilter{})
			require.Len(p, changes, 2)
			for i, status := range []asset.Status{asset.StatusBlocked, asset.StatusUnknown, asset.StatusBlocked} {
				require.Equal(p, status, got.Proposals[i].Asset.Status)
				require.Len(p, p.reviewsOf(filed.Proposals[i].ID), 1)
			}
		}},
		{"a command with a proposal ignores the ReportID", func(p *probe) {
			filed, other := p.file(fileCommand("report", 1, 2)), p.file(fileCommand("other", 3))
			cmd := reviewCommand(reviewOf(filed.Proposals[1], reject, 5))
			cmd.ReportID = other.ID
			got, err := p.AddReviews(p.Context(), cmd)
			require.NoError(p, err)
			require.Equal(p, filed.ID, got.ID)
			require.Equal(p, reject, got.Proposals[1].ReviewStatus)
			require.Equal(p, other, p.reportByID(other.ID))
		}},
		{"the error of a command is returned unchanged, and nothing is stored", func(p *probe) {
			filed := p.file(fileCommand("report", 1))
			decided := p.review(reviewOf(filed.Proposals[0], reject, 1))
			cmd := reviewCommand(reviewOf(report.Proposal{}, approve, 5))
			cmd.ReportID = filed.ID
			_, err := p.AddReviews(p.Context(), cmd)
			require.Equal(p, report.ErrDecided, err)
			require.Equal(p, decided, p.reportByID(filed.ID))
			require.Len(p, p.reviewsOf(filed.Proposals[0].ID), 1)
		}},
		{"a proposal with many reviews that decide nothing can only be decided", func(p *probe) {
			filed := p.file(fileCommand("report", 1, 2))
			proposal := filed.Proposals[0]
			p.withdrawAt(p.decide(proposal, report.ReviewReject, 1), 2)
			for range report.MaxReviews/2 - 1 {
				p.review(reviewOf(proposal, report.ReviewSkip, 3))
			}
			before, stored := p.reportByID(filed.ID), p.reviewsOf(proposal.ID)
			_, err := addReview(p.Context(), p, reviewOf(proposal, report.ReviewSkip, 4))
			require.ErrorIs(p, err, report.ErrTooManyReviews)
			_, err = escalate(p.Context(), p, escalateRequest(filed.ID), at(4))
			require.ErrorIs(p, err, report.ErrTooManyReviews)
			require.Equal(p, before, p.reportByID(filed.ID))
			require.Equal(p, stored, p.reviewsOf(proposal.ID))
			require.Empty(p, p.reviewsOf(filed.Proposals[1].ID))
			p.review(reviewOf(filed.Proposals[1], report.ReviewSkip, 5))
			p.review(reviewOf(proposal, report.ReviewApprove, 5))
		}},
		{"the texts of the reviews of a proposal have a maximum of bytes", func(p *probe) {
			filed := p.file(fileCommand("report", 1, 2))
			proposal := filed.Proposals[0]
			full := reviewOf(proposal, report.ReviewApprove, 1)
			full.Comment = strings.Repeat("\u00e9", report.MaxTotalReviewBytes/2-1)
			p.review(full)
			withdrawal := withdrawCommand(p.decide(proposal, report.ReviewReject, 2), at(3))
			withdrawal.Reason = "12"
			p.withdraw(withdrawal)
			withdrawal = withdrawCommand(p.decide(proposal, report.ReviewReject, 4), at(5))
			withdrawal.Reason = "x"
			before, stored := p.reportByID(filed.ID), p.reviewsOf(proposal.ID)
			_, err := p.WithdrawReview(p.Context(), withdrawal)
			require.ErrorIs(p, err, report.ErrTooManyReviews)
			more := reviewOf(proposal, report.ReviewSkip, 5)
			more.Comment = "x"
			_, err = addReview(p.Context(), p, more)
			require.ErrorIs(p, err, report.ErrTooManyReviews)
			require.Equal(p, before, p.reportByID(filed.ID))
			require.Equal(p, stored, p.reviewsOf(proposal.ID))
			withdrawal.Reason, more.Comment = "", ""
			p.withdraw(withdrawal)
			p.review(more)
			more.ProposalID, more.Comment = filed.Proposals[1].ID, "x"
			p.review(more)
		}},
		{"a proposal may have 100 reviews", func(p *probe) {
			proposal := p.newProposal()
			first := p.decide(proposal, reject, 0)
			for i := range 99 {
				require.Equal(p, first, p.review(reviewOf(proposal, skip, i)).Proposals[0].ReviewID)
			}
			require.Len(p, p.reviewsOf(proposal.ID), 100)
			require.Equal(p, first+99, p.withdrawAt(first, 1).Proposals[0].ReviewID)
		}},
	}
}

// notFound requires that the report, the proposal and the review are not in the scope.
func (p *probe) notFound(scope report.Scope, reportID, proposalID, reviewID int64) {
	p.Helper()
	ctx := p.Context()
	_, err := p.ReportByID(ctx, scope, reportID)
	require.ErrorIs(p, err, report.ErrNotFound, "report %d of %+v", reportID, scope)
	for _, req := range []report.ReviewRequest{{Scope: scope}, {Scope: scope, ProposalID: proposalID}} {
		req.Status = report.ReviewReject
		_, err = p.AddReviews(ctx, report.ReviewCommand{ReviewRequest: req, ReportID: reportID, At: at(9)})
		require.ErrorIs(p, err, report.ErrNotFound, "report %d and proposal %d of %+v", reportID, req.ProposalID, scope)
	}
	_, err = p.Proposal(ctx, scope, proposalID)
	require.ErrorIs(p, err, report.ErrProposalNotFound, "proposal %d of %+v", proposalID, scope)
	_, err = p.Reviews(ctx, scope, proposalID, 0, 10)
	require.ErrorIs(p, err, report.ErrProposalNotFound, "proposal %d of %+v", proposalID, scope)
	cmd := withdrawCommand(reviewID, at(9))
	cmd.Scope = scope
	_, err = p.WithdrawReview(ctx, cmd)
	require.ErrorIs(p, err, report.ErrReviewNotFound, "review %d of %+v", reviewID, scope)
}
