package storagetest

import (
	"fmt"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

// shows requires the review status of the only proposal of a report, the status of the
// report, and that of the asset, in a returned report and in the store.
func (p *probe) shows(got report.Report, review report.ReviewStatus, status report.Status, now asset.Status) {
	p.Helper()
	proposal := only(p, got.Proposals)
	require.Equal(p, review, proposal.ReviewStatus, "the status of the effective review")
	require.Equal(p, status, got.Status, "the status of the report")
	require.Equal(p, now, proposal.Asset.Status, "the status of the asset")
	require.Equal(p, got, p.reportByID(got.ID))
	require.Equal(p, proposal.Asset, p.asset(proposal.Asset.Identity))
	p.validChanges(proposal.Asset.Identity)
}

func withdrawalChecks() []requirement {
	const (
		approve = report.ReviewApprove
		reject  = report.ReviewReject
		skip    = report.ReviewSkip
		none    = report.ReviewStatus("")

		unknown = asset.StatusUnknown
		allowed = asset.StatusAllowed
		blocked = asset.StatusBlocked

		todo   = report.StatusTodo
		closed = report.StatusClosed
	)
	return []requirement{
		{"withdrawing an approval puts the asset back and records the change", func(p *probe) {
			p.file(fileCommand("another report"))
			p.set(site(1), allowed, at(0))
			filed := p.file(fileCommand("report", 1))
			id := p.decide(filed.Proposals[0], approve, 1)
			cmd := withdrawCommand(id, at(2))
			got := p.withdraw(cmd)
			p.shows(got, none, todo, allowed)
			require.Zero(p, got.Proposals[0].ReviewID)
			require.Zero(p, got.Proposals[0].ReviewedBy)
			require.True(p, got.Proposals[0].ReviewedAt.IsZero(), "ReviewedAt of a proposal without an effective review")
			require.Equal(p, at(2), got.UpdatedAt)
			change := p.newestChange()
			require.Equal(p, asset.Change{
				ID:      change.ID,
				AssetID: got.Proposals[0].Asset.ID,
				Type:    asset.TypeURL,
				Content: site(1).Canonical,
				From:    blocked,
				To:      allowed,
				At:      at(2),
				Origin:  asset.Origin{Cause: asset.CauseWithdrawal, Actor: cmd.Actor, Reference: fmt.Sprintf("report/%d", filed.ID)},
			}, change)
		}},
		{"without a decision, the last SKIP or ESCALATE is in effect", func(p *probe) {
			proposal := p.newProposal()
			p.review(reviewOf(proposal, report.ReviewEscalate, 1))
			id := p.decide(proposal, reject, 2)
			p.review(reviewOf(proposal, skip, 3))
			got := p.withdrawAt(id, 4)
			p.shows(got, skip, todo, unknown)
			require.Equal(p, at(3), got.Proposals[0].ReviewedAt)
		}},
		{"later SKIPs do not hide the decisions", func(p *probe) {
			proposal := p.newProposal()
			p.decide(proposal, reject, 1)
			id := p.decide(proposal, approve, 2)
			p.review(reviewOf(proposal, skip, 3))
			p.review(reviewOf(proposal, skip, 4))
			p.shows(p.withdrawAt(id, 5), reject, closed, unknown)
		}},
		{"the asset goes back if the approval that changed it is withdrawn last", func(p *probe) {
			proposal := p.newProposal()
			first, second := p.decide(proposal, approve, 1), p.decide(proposal, approve, 2)
			p.shows(p.withdrawAt(second, 3), approve, closed, blocked)
			p.shows(p.withdrawAt(first, 4), none, todo, unknown)
		}},
		{"the asset stays if the approval that changed it is withdrawn first", func(p *probe) {
			proposal := p.newProposal()
			first, second := p.decide(proposal, approve, 1), p.decide(proposal, approve, 2)
			p.shows(p.withdrawAt(first, 3), approve, closed, blocked)
			p.shows(p.withdrawAt(second, 4), none, todo, blocked)
		}},
		{"withdrawing a rejection restores the approval before it and keeps the asset", func(p *probe) {
			proposal := p.newProposal()
			p.decide(proposal, approve, 1)
			p.shows(p.withdrawAt(p.decide(proposal, reject, 2), 3), approve, closed, blocked)
		}},
		{"withdrawing an approval before a rejection puts the asset back and keeps the rejection", func(p *probe) {
			proposal := p.newProposal()
			id := p.decide(proposal, approve, 1)
			p.decide(proposal, reject, 2)
			p.shows(p.withdrawAt(id, 3), reject, closed, unknown)
		}},
		{"withdrawing an approval after a rejection keeps the change of an earlier approval", func(p *probe) {
			proposal := p.newProposal()
			first := p.decide(proposal, approve, 1)
			p.decide(proposal, reject, 2)
			p.shows(p.withdrawAt(p.decide(proposal, approve, 3), 4), reject, closed, blocked)
			p.shows(p.withdrawAt(first, 5), reject, closed, unknown)
		}},
		{"withdrawing an approval after a rejection undoes its own change", func(p *probe) {
			proposal := p.newProposal()
			p.decide(proposal, approve, 1)
			p.decide(proposal, reject, 2)
			p.set(site(1), allowed, at(3))
			p.shows(p.withdrawAt(p.decide(proposal, approve, 4), 5), reject, closed, allowed)
		}},
		{"of two approvals before a rejection, the withdrawal of the one that changed the asset puts it back", func(p *probe) {
			proposal := p.newProposal()
			first, second := p.decide(proposal, approve, 1), p.decide(proposal, approve, 2)
			p.decide(proposal, reject, 3)
			p.shows(p.withdrawAt(second, 4), reject, closed, blocked)
			p.shows(p.withdrawAt(first, 5), reject, closed, unknown)
		}},
		{"the asset stays if an earlier approval is in effect again", func(p *probe) {
			proposal := p.newProposal()
			first := p.decide(proposal, approve, 1)
			p.set(site(1), allowed, at(2))
			p.shows(p.withdrawAt(p.decide(proposal, approve, 3), 4), approve, closed, blocked)
			p.shows(p.withdrawAt(first, 5), none, todo, blocked)
		}},
		{"withdrawing one of two rejections leaves the other in effect and keeps the asset", func(p *probe) {
			proposal := p.newProposal()
			p.decide(proposal, approve, 1)
			first := p.decide(proposal, reject, 2)
			second := p.decide(proposal, reject, 3)
			p.shows(p.withdrawAt(second, 4), reject, closed, blocked)
			p.shows(p.withdrawAt(first, 5), approve, closed, blocked)
		}},
		{"withdrawing an approval that changed nothing records no change", func(p *probe) {
			p.set(site(1), blocked, at(0))
			proposal := p.newProposal()
			p.shows(p.withdrawAt(p.decide(proposal, approve, 1), 2), none, todo, blocked)
			require.Len(p, p.changes(asset.ChangeFilter{}), 1)
		}},
		{"an asset that was changed after the approval stays", func(p *probe) {
			proposal := p.newProposal()
			id := p.decide(proposal, approve, 1)
			p.set(site(1), allowed, at(2))
			p.shows(p.withdrawAt(id, 3), none, todo, allowed)
		}},
		{"a later change of another asset has no effect", func(p *probe) {
			proposal := p.newProposal()
			id := p.decide(proposal, approve, 1)
			p.set(site(2), blocked, at(2))
			p.shows(p.withdrawAt(id, 3), none, todo, unknown)
		}},
		{"an asset that was changed after the approval and back again stays", func(p *probe) {
			proposal := p.newProposal()
			id := p.decide(proposal, approve, 1)
			p.set(site(1), allowed, at(2))
			p.set(site(1), blocked, at(3))
			p.shows(p.withdrawAt(id, 4), none, todo, blocked)
		}},
		{"a change after the approval counts even if its time is earlier", func(p *probe) {
			proposal := p.newProposal()
			id := p.decide(proposal, approve, 10)
			p.set(site(1), allowed, at(2))
			p.set(site(1), blocked, at(3))
			p.shows(p.withdrawAt(id, 11), none, todo, blocked)
		}},
		{"a change before the approval does not count even if its time is later", func(p *probe) {
			p.set(site(1), allowed, at(10))
			proposal := p.newProposal()
			p.shows(p.withdrawAt(p.decide(proposal, approve, 2), 3), none, todo, allowed)
		}},
		{"the asset goes back to the status before the last approval that changed it", func(p *probe) {
			proposal := p.newProposal()
			first := p.decide(proposal, approve, 1)
			p.set(site(1), allowed, at(2))
			second := p.decide(proposal, approve, 3)
			p.shows(p.withdrawAt(first, 4), approve, closed, blocked)
			p.shows(p.withdrawAt(second, 5), none, todo, allowed)
		}},
		{"each withdrawal of a new approval puts the asset back", func(p *probe) {
			proposal := p.newProposal()
			for i := range 3 {
				p.shows(p.withdrawAt(p.decide(proposal, approve, i), i), none, todo, unknown)
			}
			require.Len(p, p.changes(asset.ChangeFilter{}), 6)
			p.set(site(1), blocked, at(7))
			p.shows(p.withdrawAt(p.decide(proposal, approve, 8), 9), none, todo, blocked)
		}},
		{"an approval of another proposal that changed nothing has no effect", func(p *probe) {
			first, second := p.file(fileCommand("first", 1)).Proposals[0], p.file(fileCommand("second", 1)).Proposals[0]
			id, other := p.decide(first, approve, 1), p.decide(second, approve, 2)
			p.shows(p.withdrawAt(id, 3), none, todo, unknown)
			p.shows(p.reportByID(2), approve, closed, unknown)
			p.shows(p.withdrawAt(other, 4), none, todo, unknown)
		}},
		{"the asset stays if the approval of another proposal changed it later", func(p *probe) {
			f := fileCommand("second", 1)
			f.Proposals[0].ProposedStatus = allowed
			first, second := p.file(fileCommand("first", 1)).Proposals[0], p.file(f).Proposals[0]
			id, other := p.decide(first, approve, 1), p.decide(second, approve, 2)
			p.shows(p.withdrawAt(id, 3), none, todo, allowed)
			p.shows(p.withdrawAt(other, 4), none, todo, blocked)
		}},
		{"the asset goes back if the change of the approval is the only one that was not pruned", func(p *probe) {
			p.set(site(1), allowed, at(0))
			proposal := p.newProposal()
			id := p.decide(proposal, approve, 1)
			require.Equal(p, 1, p.pruneAll(at(20), 10))
			p.withdrawAt(id, 30)
			require.Equal(p, allowed, p.asset(site(1)).Status)
		}},
		{"other proposals of the report keep their reviews", func(p *probe) {
			filed := p.file(fileCommand("report", 1, 2))
			id := p.decide(filed.Proposals[0], approve, 1)
			p.decide(filed.Proposals[1], approve, 2)
			before := p.reportByID(filed.ID)
			require.Equal(p, closed, before.Status)
			got := p.withdrawAt(id, 3)
			require.Equal(p, report.StatusInProgress, got.Status)
			require.Equal(p, before.Proposals[1], got.Proposals[1])
		}},
		{"filters use the reviews in effect", func(p *probe) {
			proposal := p.newProposal()
			id := p.decide(proposal, reject, 1)
			p.review(report.Review{ProposalID: proposal.ID, Status: skip, ReviewedBy: 8, ReviewedAt: at(2)})
			require.Len(p, p.reports(1, report.Filter{OnlyRejected: true, ReviewedBy: 3, Status: closed}), 1)
			p.withdrawAt(id, 3)
			require.Empty(p, p.reports(1, report.Filter{OnlyRejected: true}))
			require.Len(p, p.reports(1, report.Filter{ReviewStatuses: []report.ReviewStatus{skip}, ReviewedBy: 8, Status: todo}), 1)
		}},
		{"a withdrawal of SKIP or ESCALATE is ErrNotDecision", func(p *probe) {
			proposal := p.newProposal()
			p.review(reviewOf(proposal, skip, 1))
			p.review(reviewOf(proposal, report.ReviewEscalate, 2))
			before, stored := p.reportByID(1), p.reviewsOf(proposal.ID)
			for _, review := range stored {
				_, err := p.WithdrawReview(p.Context(), withdrawCommand(review.ID, at(3)))
				require.ErrorIs(p, err, report.ErrNotDecision)
			}
			require.Equal(p, before, p.reportByID(1))
			require.Equal(p, stored, p.reviewsOf(proposal.ID))
		}},
		{"a second withdrawal is ErrWithdrawn", func(p *probe) {
			proposal := p.newProposal()
			id := p.decide(proposal, approve, 1)
			p.withdrawAt(id, 2)
			before, stored := p.reportByID(1), p.reviewsOf(proposal.ID)
			_, err := p.WithdrawReview(p.Context(), withdrawCommand(id, at(3)))
			require.ErrorIs(p, err, report.ErrWithdrawn)
			require.Equal(p, before, p.reportByID(1))
			require.Equal(p, stored, p.reviewsOf(proposal.ID))
		}},
		{"withdrawing an imported approval records no change", needs("Import", func(p *probe) {
			p.importSeed(fullSeed())
			imported := p.newestReport(20)
			got := p.withdrawAt(imported.Proposals[0].ReviewID, 70)
			require.Empty(p, got.Proposals[0].ReviewStatus)
			require.Equal(p, report.StatusTodo, got.Status)
			require.Equal(p, imported.Proposals[0].Asset, got.Proposals[0].Asset)
			require.Len(p, p.changes(asset.ChangeFilter{}), 2)
		})},
	}
}
