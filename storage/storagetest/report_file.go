package storagetest

import (
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

func reportChecks() []requirement {
	return []requirement{
		{"a report is read back with every field", func(p *probe) {
			p.putUser(account.User{ID: 3, FullName: "Ada", Email: "ada@acme.example", Automation: true})
			blocked := p.set(site(2), asset.StatusBlocked, at(0))
			got := p.file(report.FileCommand{
				OrganizationID: 1,
				Title:          "Title",
				Description:    "Description",
				BrandID:        asset.MaxID,
				ReporterID:     3,
				At:             at(5),
				Proposals: []report.ProposedAsset{
					{Identity: site(3), Content: "third", ProposedStatus: asset.StatusBlocked},
					{Identity: site(2), Content: "second", ProposedStatus: asset.StatusAllowed},
					{Identity: site(1), Content: "first", ProposedStatus: asset.StatusUnknown},
				},
			})
			require.Len(p, got.Proposals, 3)
			want := report.Report{
				ID:             1,
				OrganizationID: 1,
				Title:          "Title",
				Description:    "Description",
				Status:         report.StatusTodo,
				BrandID:        asset.MaxID,
				Reporter:       report.Reporter{ID: 3, FullName: "Ada", Email: "ada@acme.example", Automation: true},
				Proposals: []report.Proposal{
					{ID: 1, Asset: p.asset(site(3)), Content: "third", ProposedStatus: asset.StatusBlocked},
					{ID: 2, Asset: blocked, Content: "second", ProposedStatus: asset.StatusAllowed},
					{ID: 3, Asset: p.asset(site(1)), Content: "first", ProposedStatus: asset.StatusUnknown},
				},
				CreatedAt: at(5),
				UpdatedAt: at(5),
			}
			require.Equal(p, want, got)
			require.Equal(p, []report.Report{want}, p.reports(1, report.Filter{}))
		}},
		{"the zero scope contains no report", func(p *probe) {
			p.fileMany(2)
			for _, scope := range []report.Scope{{}, report.InOrganization(0), report.InOrganization(-1)} {
				page := p.reportPage(report.ListRequest{Scope: scope, Limit: 10})
				require.Empty(p, page.Reports)
				require.Zero(p, page.NextCursor)
			}
		}},
		{"a report may have 1,000 proposals", needs("AddReviews", func(p *probe) {
			filed := p.file(fileCommand("report", numbersTo(1000)...))
			for n, proposal := range filed.Proposals {
				require.Equal(p, site(n), proposal.Asset.Identity)
			}
			last := filed.Proposals[999]
			reviewed := p.review(report.Review{ProposalID: last.ID, Status: report.ReviewReject, ReviewedAt: at(1)})
			require.Equal(p, report.StatusInProgress, reviewed.Status)
			require.Equal(p, report.ReviewReject, reviewed.Proposals[999].ReviewStatus)
			require.Equal(p, reviewed, p.newestReport(1))
			require.Len(p, p.reports(1, report.Filter{SearchQuery: site(999).Canonical}), 1)
		})},
	}
}
