package storagetest

import (
	"strconv"

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
				Proposals: []report.NewProposal{
					{Identity: site(3), Content: "third", ProposedStatus: asset.StatusBlocked},
					{Identity: site(2), Content: "second", ProposedStatus: asset.StatusAllowed},
					{Identity: site(1), Content: "first", ProposedStatus: asset.StatusUnknown},
				},
			})
			require.Len(p, got.Proposals, 3)
			want := report.Report{
				ID:             got.ID,
				OrganizationID: 1,
				Title:          "Title",
				Description:    "Description",
				Status:         report.StatusTodo,
				BrandID:        asset.MaxID,
				Reporter:       report.Reporter{ID: 3, FullName: "Ada", Email: "ada@acme.example", Automation: true},
				Proposals: []report.Proposal{
					{ID: got.Proposals[0].ID, Asset: p.asset(site(3)), Content: "third", ProposedStatus: asset.StatusBlocked},
					{ID: got.Proposals[1].ID, Asset: blocked, Content: "second", ProposedStatus: asset.StatusAllowed},
					{ID: got.Proposals[2].ID, Asset: p.asset(site(1)), Content: "first", ProposedStatus: asset.StatusUnknown},
				},
				CreatedAt: at(5),
				UpdatedAt: at(5),
			}
			require.Equal(p, want, got)
			require.Equal(p, []report.Report{want}, p.reports(1, report.Filter{}))
		}},
		{"assets are registered as UNKNOWN", func(p *probe) {
			filed := p.file(fileCommand("report", 1))
			require.Equal(p, asset.Asset{
				ID:       filed.Proposals[0].Asset.ID,
				Identity: site(1),
				Status:   asset.StatusUnknown,
			}, p.asset(site(1)))
			require.Empty(p, p.changes(asset.ChangeFilter{}))
		}},
		{"a proposal has the content as submitted, also for a registered asset", needs("AddReviews", func(p *probe) {
			for i, content := range []string{"HTTPS://Site-1.example", site(1).Canonical, "https://site-1.example/"} {
				f := fileCommand("report", 1)
				f.Proposals[0].Content = content
				require.Equal(p, content, p.file(f).Proposals[0].Content)
				require.Equal(p, content, p.reports(1, report.Filter{})[0].Proposals[0].Content)
				require.Equal(p, content, p.review(reviewOf(report.Proposal{ID: int64(i + 1)}, report.ReviewSkip, 1)).Proposals[0].Content)
			}
		})},
		{"a report may have no proposals, brand and reporter", func(p *probe) {
			got := p.file(report.FileCommand{OrganizationID: 1, At: at(0)})
			require.Empty(p, got.Proposals)
			got.Proposals = nil
			require.Equal(p, report.Report{ID: got.ID, OrganizationID: 1, Status: report.StatusTodo, CreatedAt: at(0), UpdatedAt: at(0)}, got)
			require.Len(p, p.reports(1, report.Filter{}), 1)
		}},
		{"IDs of reports and proposals begin at 1 and grow", func(p *probe) {
			var lastReport, lastProposal int64
			for i := range 3 {
				filed := p.file(fileCommand("report", 1, 2, 3))
				if i == 0 {
					require.EqualValues(p, 1, filed.ID)
					require.EqualValues(p, 1, filed.Proposals[0].ID)
				}
				require.Greater(p, filed.ID, lastReport)
				lastReport = filed.ID
				for _, proposal := range filed.Proposals {
					require.Greater(p, proposal.ID, lastProposal)
					lastProposal = proposal.ID
				}
			}
		}},
		{"a report has the current data of its reporter", func(p *probe) {
			f := fileCommand("report")
			f.ReporterID = 3
			require.Equal(p, report.Reporter{ID: 3}, p.file(f).Reporter, "an unknown user")
			p.putUser(account.User{ID: 3, FullName: "Ada", Email: "ada@acme.example"})
			require.Equal(p, report.Reporter{ID: 3, FullName: "Ada", Email: "ada@acme.example"}, p.newestReport(1).Reporter)
			p.putUser(account.User{ID: 3, FullName: "Robot", Automation: true})
			require.Equal(p, report.Reporter{ID: 3, FullName: "Robot", Automation: true}, p.newestReport(1).Reporter)
		}},
		{"a proposal has the current status of its asset", func(p *probe) {
			p.file(fileCommand("report", 1))
			p.set(site(1), asset.StatusAllowed, at(1))
			require.Equal(p, p.asset(site(1)), p.newestReport(1).Proposals[0].Asset)
		}},
		{"one asset may be in many reports", func(p *probe) {
			first, second := p.file(fileCommand("first", 1)), p.file(fileCommand("second", 1))
			require.Equal(p, first.Proposals[0].Asset, second.Proposals[0].Asset)
			require.NotEqual(p, first.Proposals[0].ID, second.Proposals[0].ID)
		}},
		{"reports are ordered by ID, newest first, not by time", func(p *probe) {
			for i, title := range []string{"first", "second", "third"} {
				f := fileCommand(title)
				f.At = at(-10 * i)
				p.file(f)
			}
			require.Equal(p, []string{"third", "second", "first"}, titles(p.reports(1, report.Filter{})))
		}},
		{"an organization has only its own reports", func(p *probe) {
			mine, other := fileCommand("mine", 1), fileCommand("other", 1)
			other.OrganizationID = 2
			p.file(mine)
			p.file(other)
			require.Equal(p, []string{"mine"}, titles(p.reports(1, report.Filter{})))
			require.Equal(p, []string{"other"}, titles(p.reports(2, report.Filter{})))
			require.Empty(p, p.reports(3, report.Filter{}))
		}},
		{"AnyOrganization lists the reports of all organizations by ID", needs("AddReviews", func(p *probe) {
			for i, organization := range []int64{2, 1, 3, 1, 2} {
				f := fileCommand(strconv.Itoa(i), 1)
				f.OrganizationID = organization
				p.review(reviewOf(p.file(f).Proposals[0], report.ReviewStatuses()[i%2], 1))
			}
			require.Equal(p, []string{"4", "3", "2", "1", "0"}, titles(p.reports(0, report.Filter{})))
			require.Equal(p, []string{"3", "1"}, titles(p.reports(0, report.Filter{OnlyRejected: true})))
			for _, filter := range []report.Filter{{}, {OnlyRejected: true}, {Status: report.StatusClosed}} {
				whole := p.reports(0, filter)
				p.everyReportPageSize(report.ListRequest{Scope: report.AnyOrganization(), Filter: filter}, whole)
			}
		})},
		{"the zero scope contains no report", func(p *probe) {
			p.fileMany(2)
			for _, scope := range []report.Scope{{}, report.InOrganization(0), report.InOrganization(-1)} {
				page := p.reportPage(report.ListRequest{Scope: scope, Limit: 10})
				require.Empty(p, page.Reports)
				require.Zero(p, page.NextCursor)
			}
		}},
		{"pages of every size return the whole list", func(p *probe) {
			for i := range 8 {
				f := fileCommand(strconv.Itoa(i), 1)
				f.OrganizationID = int64(1 + i%3/2)
				f.BrandID = int64(i % 2)
				p.file(f)
			}
			for _, filter := range []report.Filter{{}, {BrandIDs: []int64{1}}} {
				whole := p.reports(1, filter)
				p.everyReportPageSize(report.ListRequest{Scope: report.InOrganization(1), Filter: filter}, whole)
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
		{"a cursor may be at a report of another organization or at none", func(p *probe) {
			p.fileMany(3)
			require.Equal(p, []string{"3", "2", "1"}, titles(p.reportsBelow(1, report.Filter{}, asset.MaxID, 10)))
			require.Equal(p, []string{"2"}, titles(p.reportsBelow(1, report.Filter{}, 3, 1)))
			require.Empty(p, p.reportsBelow(1, report.Filter{}, 1, 10))
			require.Empty(p, p.reportsBelow(2, report.Filter{}, 3, 10))
		}},
	}
}
