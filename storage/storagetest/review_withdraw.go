package storagetest

import (
	"fmt"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

func withdrawalChecks() []requirement {
	return []requirement{
		{"commands with a claim are executed once", func(p *probe) {
			proposal := p.newProposal()
			review := reviewCommand(reviewOf(proposal, report.ReviewApprove, 1))
			review.Claim = claimOf(1, "key")
			repeated(p, func() (report.Report, error) { return p.AddReviews(p.Context(), review) }, review.Record)
			withdrawal := withdrawCommand(only(p, p.reviewsOf(proposal.ID)).ID, at(2))
			withdrawal.Claim = claimOf(2, "another key")
			repeated(p, func() (report.Report, error) { return p.WithdrawReview(p.Context(), withdrawal) }, withdrawal.Record)
			require.Len(p, p.changes(asset.ChangeFilter{}), 2)
		}},
		{"withdrawing an approval puts the asset back and records the change", func(p *probe) {
			p.file(fileCommand("another report"))
			p.set(site(1), asset.StatusAllowed, at(0))
			filed := p.file(fileCommand("report", 1))
			cmd := withdrawCommand(p.decide(filed.Proposals[0], report.ReviewApprove, 1), at(2))
			want := filed
			want.UpdatedAt = at(2)
			require.Equal(p, want, p.withdraw(cmd))
			require.Equal(p, want, p.reportByID(filed.ID))
			change := p.newestChange()
			require.Equal(p, asset.Change{
				ID:      change.ID,
				AssetID: filed.Proposals[0].Asset.ID,
				Type:    asset.TypeURL,
				Content: site(1).Canonical,
				From:    asset.StatusBlocked,
				To:      asset.StatusAllowed,
				At:      at(2),
				Origin:  asset.Origin{Cause: asset.CauseWithdrawal, Actor: cmd.Actor, Reference: fmt.Sprintf("report/%d", filed.ID)},
			}, change)
		}},
		{"a change after the approval counts even if its time is earlier", func(p *probe) {
			id := p.decide(p.newProposal(), report.ReviewApprove, 10)
			p.set(site(1), asset.StatusAllowed, at(2))
			p.set(site(1), asset.StatusBlocked, at(3))
			p.withdrawAt(id, 11)
			require.Equal(p, asset.StatusBlocked, p.asset(site(1)).Status)
		}},
	}
}
