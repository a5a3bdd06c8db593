package storagetest

import (
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

func escalationChecks() []requirement {
	return []requirement{
		{"undecided proposals are escalated in their order", func(p *probe) {
			filed := p.file(fileCommand("report", 1, 2, 3, 4, 5))
			p.decide(filed.Proposals[0], report.ReviewApprove, 1)
			p.decide(filed.Proposals[1], report.ReviewReject, 2)
			p.review(reviewOf(filed.Proposals[2], report.ReviewSkip, 3))
			p.review(reviewOf(filed.Proposals[3], report.ReviewEscalate, 4))
			want, changes := p.reportByID(filed.ID), p.changes(asset.ChangeFilter{})
			got := p.escalate(filed.ID, 9)
			want.UpdatedAt = at(9)
			for i := range want.Proposals[2:] {
				p := &want.Proposals[2+i]
				p.ReviewID, p.ReviewStatus, p.ReviewedBy, p.ReviewedAt = int64(5+i), report.ReviewEscalate, 7, at(9)
			}
			require.Equal(p, report.StatusInProgress, got.Status)
			require.Equal(p, want, got)
			require.Equal(p, want, p.newestReport(1))
			require.Equal(p, changes, p.changes(asset.ChangeFilter{}))
			for i, stored := range []int{1, 1, 2, 2, 1} {
				reviews := p.reviewsOf(filed.Proposals[i].ID)
				require.Len(p, reviews, stored)
				if i >= 2 {
					require.Equal(p, report.Review{
						ID:         int64(3 + i),
						ProposalID: filed.Proposals[i].ID,
						Status:     report.ReviewEscalate,
						ReviewedBy: 7,
						Comment:    "why",
						ReviewedAt: at(9),
					}, reviews[stored-1])
				}
			}
		}},
		{"1,000 proposals are escalated in one step", func(p *probe) {
			filed := p.file(fileCommand("report", numbersTo(1000)...))
			got := p.escalate(filed.ID, 1)
			for i, proposal := range got.Proposals {
				require.Equal(p, report.ReviewEscalate, proposal.ReviewStatus)
				require.Equal(p, int64(i+1), proposal.ReviewID)
			}
			require.Equal(p, got, p.newestReport(1))
		}},
	}
}
