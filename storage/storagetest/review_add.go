package storagetest

import (
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
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
		}},
		{"a review may have no reviewer", func(p *probe) {
			filed := p.file(fileCommand("report", 1))
			got := p.review(report.Review{ProposalID: filed.Proposals[0].ID, Status: report.ReviewSkip, ReviewedAt: at(1)})
			require.Zero(p, got.Proposals[0].ReviewedBy)
			require.Equal(p, at(1), got.Proposals[0].ReviewedAt)
		}},
		{"a later decision replaces every field of the earlier one", func(p *probe) {
			filed := p.file(fileCommand("report", 1))
			id := filed.Proposals[0].ID
			p.review(report.Review{ProposalID: id, Status: report.ReviewReject, ReviewedBy: 3, ReviewedAt: at(9)})
			got := p.review(report.Review{ProposalID: id, Status: report.ReviewReject, ReviewedAt: at(4)})
			want := filed
			want.Status = report.StatusClosed
			want.UpdatedAt = at(4)
			want.Proposals[0].ReviewID = 2
			want.Proposals[0].ReviewStatus = report.ReviewReject
			want.Proposals[0].ReviewedAt = at(4)
			require.Equal(p, want, got)
			require.Equal(p, []report.Report{want}, p.reports(1, report.Filter{}))
		}},
		{"the status of a report follows from all its proposals", func(p *probe) {
			filed := p.file(fileCommand("report", 1, 2, 3))
			for i, step := range []struct {
				proposal int
				review   report.ReviewStatus
				want     report.Status
			}{
				{0, report.ReviewSkip, report.StatusTodo},
				{1, report.ReviewEscalate, report.StatusTodo},
				{0, report.ReviewReject, report.StatusInProgress},
				{1, report.ReviewApprove, report.StatusInProgress},
				{2, report.ReviewSkip, report.StatusInProgress},
				{2, report.ReviewApprove, report.StatusClosed},
				{1, report.ReviewEscalate, report.StatusClosed},
				{1, report.ReviewReject, report.StatusClosed},
			} {
				got := p.review(report.Review{ProposalID: filed.Proposals[step.proposal].ID, Status: step.review, ReviewedAt: at(i)})
				require.Equal(p, step.want, got.Status, "status after step %d, %s", i+1, step.review)
				require.Equal(p, []report.Report{got}, p.reports(1, report.Filter{Status: step.want}))
			}
		}},
		{"APPROVE sets the proposed status of the asset and records the change", func(p *probe) {
			p.file(fileCommand("another report"))
			filed := p.file(fileCommand("report", 1))
			review := report.Review{ProposalID: filed.Proposals[0].ID, Status: report.ReviewApprove, ReviewedBy: 3, ReviewedAt: at(8)}
			got := p.review(review)
			require.Equal(p, asset.StatusBlocked, got.Proposals[0].Asset.Status)
			require.Equal(p, got.Proposals[0].Asset, p.asset(site(1)))
			change := only(p, p.changes(asset.ChangeFilter{}))
			require.Equal(p, asset.Change{
				ID:      change.ID,
				AssetID: got.Proposals[0].Asset.ID,
				Type:    asset.TypeURL,
				Content: site(1).Canonical,
				From:    asset.StatusUnknown,
				To:      asset.StatusBlocked,
				At:      at(8),
				Origin:  review.Origin(filed.ID),
			}, change)
		}},
		{"APPROVE of the current status records no change", func(p *probe) {
			p.set(site(1), asset.StatusBlocked, at(0))
			filed := p.file(fileCommand("report", 1))
			review := report.Review{ProposalID: filed.Proposals[0].ID, Status: report.ReviewApprove, ReviewedAt: at(8)}
			require.Equal(p, report.StatusClosed, p.review(review).Status)
			p.review(review)
			require.Len(p, p.changes(asset.ChangeFilter{}), 1)
		}},
		{"APPROVE may set UNKNOWN", func(p *probe) {
			p.set(site(1), asset.StatusBlocked, at(0))
			f := fileCommand("report", 1)
			f.Proposals[0].ProposedStatus = asset.StatusUnknown
			filed := p.file(f)
			p.review(report.Review{ProposalID: filed.Proposals[0].ID, Status: report.ReviewApprove, ReviewedAt: at(8)})
			newest := p.newestChange()
			require.Equal(p, asset.StatusBlocked, newest.From)
			require.Equal(p, asset.StatusUnknown, newest.To)
		}},
		{"REJECT, SKIP and ESCALATE do not change the asset", func(p *probe) {
			p.set(site(1), asset.StatusAllowed, at(0))
			filed := p.file(fileCommand("report", 1))
			for _, status := range []report.ReviewStatus{report.ReviewReject, report.ReviewSkip, report.ReviewEscalate} {
				got := p.review(report.Review{ProposalID: filed.Proposals[0].ID, Status: status, ReviewedAt: at(8)})
				require.Equal(p, asset.StatusAllowed, got.Proposals[0].Asset.Status, status)
			}
			require.Len(p, p.changes(asset.ChangeFilter{}), 1)
		}},
		{"a rejection after an approval keeps the approved status", func(p *probe) {
			filed := p.file(fileCommand("report", 1))
			id := filed.Proposals[0].ID
			p.review(report.Review{ProposalID: id, Status: report.ReviewApprove, ReviewedAt: at(1)})
			got := p.review(report.Review{ProposalID: id, Status: report.ReviewReject, ReviewedAt: at(2)})
			require.Equal(p, asset.StatusBlocked, got.Proposals[0].Asset.Status)
			require.Len(p, p.changes(asset.ChangeFilter{}), 1)
		}},
		{"a review does not change another report with the same asset", func(p *probe) {
			first, second := p.file(fileCommand("first", 1)), p.file(fileCommand("second", 1))
			p.review(report.Review{ProposalID: first.Proposals[0].ID, Status: report.ReviewApprove, ReviewedAt: at(1)})
			got := p.newestReport(1)
			require.Equal(p, second.ID, got.ID)
			require.Empty(p, got.Proposals[0].ReviewStatus)
			require.True(p, got.Proposals[0].ReviewedAt.IsZero(), "ReviewedAt of a proposal without a review must be the zero time, not %v", got.Proposals[0].ReviewedAt)
			require.Equal(p, asset.StatusBlocked, got.Proposals[0].Asset.Status)
			require.Equal(p, at(0), got.UpdatedAt)
		}},
		{"a review of an unknown proposal is ErrNotFound", func(p *probe) {
			p.file(fileCommand("report", 1))
			for _, id := range []int64{0, -1, 1000, asset.MaxID} {
				_, err := addReview(p.Context(), p, report.Review{ProposalID: id, Status: report.ReviewApprove, ReviewedAt: at(1)})
				require.ErrorIs(p, err, report.ErrNotFound, "AddReviews to proposal %d", id)
			}
			require.Equal(p, at(0), p.newestReport(1).UpdatedAt)
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
				{ID: 1, ProposalID: proposal.ID, Status: approve, ReviewedBy: asset.MaxID, Comment: "why", ReviewedAt: at(9), ChangeID: p.newestChange().ID},
				{ID: 2, ProposalID: proposal.ID, Status: skip, ReviewedAt: at(8)},
			}, p.reviewsOf(proposal.ID))
		}},
		{"a withdrawn review is read back with every field", func(p *probe) {
			proposal := p.newProposal()
			first := p.decide(proposal, reject, 5)
			second := p.decide(proposal, reject, 6)
			cmd := withdrawCommand(first, at(7))
			cmd.Actor = asset.MaxID
			p.withdraw(cmd)
			require.Equal(p, []report.Review{
				{ID: first, ProposalID: proposal.ID, Status: reject, ReviewedBy: 3, ReviewedAt: at(5), WithdrawnAt: at(7), WithdrawnBy: asset.MaxID, WithdrawnReason: "why"},
				{ID: second, ProposalID: proposal.ID, Status: reject, ReviewedBy: 3, ReviewedAt: at(6)},
			}, p.reviewsOf(proposal.ID))
		}},
		{"a proposal has only its own reviews, ordered by ID, not by time", func(p *probe) {
			filed := p.file(fileCommand("report", 1, 2))
			for i, status := range []report.ReviewStatus{skip, reject, escalated} {
				p.review(reviewOf(filed.Proposals[0], status, -i))
				p.review(reviewOf(filed.Proposals[1], approve, -i))
			}
			require.Equal(p, []report.ReviewStatus{skip, reject, escalated}, statusesOf(p.reviewsOf(filed.Proposals[0].ID)))
			require.Equal(p, []report.ReviewStatus{approve, approve, approve}, statusesOf(p.reviewsOf(filed.Proposals[1].ID)))
		}},
		{"a proposal may have no reviews", func(p *probe) {
			require.Empty(p, p.reviewsOf(p.newProposal().ID))
		}},
		{"pages of every size return all reviews", func(p *probe) {
			proposal := p.newProposal()
			for i := range 7 {
				p.review(reviewOf(proposal, report.ReviewStatuses()[i%4], i))
			}
			whole := p.reviewsOf(proposal.ID)
			require.Len(p, whole, 7)
			everyPageSize(p, whole, func(last report.Review, size int) asset.Page[report.Review] {
				return p.reviewsAfter(proposal.ID, last.ID, size)
			})
		}},
		{"the last decision is in effect, even if SKIP or ESCALATE follows", func(p *probe) {
			proposal := p.newProposal()
			for i, step := range []struct {
				review report.ReviewStatus
				shown  int64
				status report.Status
			}{
				{skip, 1, report.StatusTodo},
				{escalated, 2, report.StatusTodo},
				{reject, 3, report.StatusClosed},
				{skip, 3, report.StatusClosed},
				{approve, 5, report.StatusClosed},
				{escalated, 5, report.StatusClosed},
				{reject, 7, report.StatusClosed},
			} {
				got := p.review(reviewOf(proposal, step.review, 10-i))
				require.Equal(p, step.shown, got.Proposals[0].ReviewID, "after step %d", i+1)
				require.Equal(p, step.status, got.Status, "after step %d", i+1)
				require.Equal(p, at(10-i), got.UpdatedAt, "UpdatedAt must be the time of the last review")
				require.Equal(p, got, p.newestReport(1))
			}
		}},
		{"UpdatedAt is not before CreatedAt if the clock was set back", func(p *probe) {
			filed := p.file(fileCommand("report", 1, 2))
			id := p.decide(filed.Proposals[0], approve, -5)
			require.Equal(p, at(0), p.newestReport(1).UpdatedAt)
			require.Equal(p, at(-5), p.newestReport(1).Proposals[0].ReviewedAt, "ReviewedAt may be before CreatedAt of the report")
			require.Equal(p, at(0), p.withdrawAt(id, -6).UpdatedAt)
			require.Equal(p, at(0), p.escalate(filed.ID, -7).UpdatedAt)
			require.Equal(p, at(1), p.review(reviewOf(filed.Proposals[0], skip, 1)).UpdatedAt)
		}},
		{"ReportByID finds a report in its organization and in any", func(p *probe) {
			f := fileCommand("other", 1)
			f.OrganizationID, f.ReporterID = 2, 3
			p.file(fileCommand("report", 1))
			filed := p.file(f)
			reviewed := p.review(reviewOf(filed.Proposals[0], approve, 1))
			for _, scope := range []report.Scope{report.AnyOrganization(), report.InOrganization(2)} {
				got, err := p.ReportByID(p.Context(), scope, filed.ID)
				require.NoError(p, err)
				require.Equal(p, reviewed, got)
			}
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
			require.Equal(p, before, p.reportByID(filed.ID))
			require.Equal(p, stored, p.reviewsOf(proposal.ID))
			require.Empty(p, p.changes(asset.ChangeFilter{}))
		}},
		{"every method finds the records of its organization", func(p *probe) {
			f := fileCommand("report", 1, 2)
			f.OrganizationID = 2
			filed := p.file(f)
			scope := report.InOrganization(2)
			approval := reviewCommand(reviewOf(filed.Proposals[0], approve, 1))
			approval.Scope = scope
			reviewed, err := p.AddReviews(p.Context(), approval)
			require.NoError(p, err)
			cmd := withdrawCommand(reviewed.Proposals[0].ReviewID, at(2))
			cmd.Scope = scope
			p.withdraw(cmd)
			req := escalateRequest(filed.ID)
			req.Scope = scope
			_, err = escalate(p.Context(), p, req, at(3))
			require.NoError(p, err)
			reviews, err := p.Reviews(p.Context(), scope, filed.Proposals[0].ID, 0, 10)
			require.NoError(p, err)
			require.Equal(p, []report.ReviewStatus{approve, escalated}, statusesOf(reviews.Items))
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
		{"an approval has the ID of the change that it made", func(p *probe) {
			filed := p.file(fileCommand("report", 1))
			for i, status := range []report.ReviewStatus{reject, approve, approve} {
				p.review(reviewOf(filed.Proposals[0], status, i))
			}
			reviews := p.reviewsOf(filed.Proposals[0].ID)
			require.Equal(p, []int64{0, p.newestChange().ID, 0}, []int64{reviews[0].ChangeID, reviews[1].ChangeID, reviews[2].ChangeID})
			p.withdrawAt(reviews[1].ID, 5)
			require.Equal(p, reviews[1].ChangeID, p.reviewsOf(filed.Proposals[0].ID)[1].ChangeID, "a withdrawn review must keep its ChangeID")
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
	_, err = p.Reviews(ctx, scope, proposalID, 0, 10)
	require.ErrorIs(p, err, report.ErrProposalNotFound, "proposal %d of %+v", proposalID, scope)
	cmd := withdrawCommand(reviewID, at(9))
	cmd.Scope = scope
	_, err = p.WithdrawReview(ctx, cmd)
	require.ErrorIs(p, err, report.ErrReviewNotFound, "review %d of %+v", reviewID, scope)
}
