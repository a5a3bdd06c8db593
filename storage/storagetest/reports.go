package storagetest

import (
	"strconv"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

// filing returns a report of organization 1 that proposes to block these assets.
func filing(title string, numbers ...int) report.FileCommand {
	f := report.FileCommand{OrganizationID: 1, Title: title, At: at(0)}
	for _, n := range numbers {
		f.Proposals = append(f.Proposals, report.NewProposal{
			Identity:       site(n),
			Content:        site(n).Canonical,
			ProposedStatus: asset.StatusBlocked,
		})
	}
	return f
}

// titles returns the titles of the reports, in their order.
func titles(reports []report.Report) []string {
	list := make([]string, len(reports))
	for i, r := range reports {
		list[i] = r.Title
	}
	return list
}

// fileMany files empty reports with the titles "1" to "n".
func (p *probe) fileMany(n int) {
	p.Helper()
	for i := range n {
		p.file(filing(strconv.Itoa(i + 1)))
	}
}

func reportChecks() []check {
	return []check{
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
			filed := p.file(filing("report", 1))
			require.Equal(p, asset.Asset{
				ID:       filed.Proposals[0].Asset.ID,
				Identity: site(1),
				Status:   asset.StatusUnknown,
			}, p.asset(site(1)))
			require.Empty(p, p.changes(asset.ChangeFilter{}))
		}},
		{"a proposal keeps its submitted content, also for an asset that is known", func(p *probe) {
			for i, content := range []string{"HTTPS://Site-1.example", site(1).Canonical, "https://site-1.example/"} {
				f := filing("report", 1)
				f.Proposals[0].Content = content
				require.Equal(p, content, p.file(f).Proposals[0].Content)
				require.Equal(p, content, p.reports(1, report.Filter{})[0].Proposals[0].Content)
				require.Equal(p, content, p.review(opinion(report.Proposal{ID: int64(i + 1)}, report.ReviewSkip, 1)).Proposals[0].Content)
			}
		}},
		{"a report needs neither proposals, brand nor reporter", func(p *probe) {
			got := p.file(report.FileCommand{OrganizationID: 1, At: at(0)})
			require.Empty(p, got.Proposals)
			got.Proposals = nil
			require.Equal(p, report.Report{ID: got.ID, OrganizationID: 1, Status: report.StatusTodo, CreatedAt: at(0), UpdatedAt: at(0)}, got)
			require.Len(p, p.reports(1, report.Filter{}), 1)
		}},
		{"identifiers of reports and proposals begin at 1 and grow", func(p *probe) {
			var lastReport, lastProposal int64
			for i := range 3 {
				filed := p.file(filing("report", 1, 2, 3))
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
		{"a reporter is shown as the store knows the user now", func(p *probe) {
			f := filing("report")
			f.ReporterID = 3
			require.Equal(p, report.Reporter{ID: 3}, p.file(f).Reporter, "a user whom the store does not know")
			p.putUser(account.User{ID: 3, FullName: "Ada", Email: "ada@acme.example"})
			require.Equal(p, report.Reporter{ID: 3, FullName: "Ada", Email: "ada@acme.example"}, p.newestReport(1).Reporter)
			p.putUser(account.User{ID: 3, FullName: "Robot", Automation: true})
			require.Equal(p, report.Reporter{ID: 3, FullName: "Robot", Automation: true}, p.newestReport(1).Reporter)
		}},
		{"a proposal shows its asset as it is now", func(p *probe) {
			p.file(filing("report", 1))
			p.set(site(1), asset.StatusAllowed, at(1))
			require.Equal(p, p.asset(site(1)), p.newestReport(1).Proposals[0].Asset)
		}},
		{"one asset may be in many reports", func(p *probe) {
			first, second := p.file(filing("first", 1)), p.file(filing("second", 1))
			require.Equal(p, first.Proposals[0].Asset, second.Proposals[0].Asset)
			require.NotEqual(p, first.Proposals[0].ID, second.Proposals[0].ID)
		}},
		{"the newest report comes first, by identifier and not by time", func(p *probe) {
			for i, title := range []string{"first", "second", "third"} {
				f := filing(title)
				f.At = at(-10 * i)
				p.file(f)
			}
			require.Equal(p, []string{"third", "second", "first"}, titles(p.reports(1, report.Filter{})))
		}},
		{"an organization sees its own reports alone", func(p *probe) {
			mine, other := filing("mine", 1), filing("other", 1)
			other.OrganizationID = 2
			p.file(mine)
			p.file(other)
			require.Equal(p, []string{"mine"}, titles(p.reports(1, report.Filter{})))
			require.Equal(p, []string{"other"}, titles(p.reports(2, report.Filter{})))
			require.Empty(p, p.reports(3, report.Filter{}))
		}},
		{"an operator sees the reports of all organizations by identifier", func(p *probe) {
			for i, organization := range []int64{2, 1, 3, 1, 2} {
				f := filing(strconv.Itoa(i), 1)
				f.OrganizationID = organization
				p.review(opinion(p.file(f).Proposals[0], report.ReviewStatuses()[i%2], 1))
			}
			require.Equal(p, []string{"4", "3", "2", "1", "0"}, titles(p.reports(0, report.Filter{})))
			require.Equal(p, []string{"3", "1"}, titles(p.reports(0, report.Filter{OnlyRejected: true})))
			for _, filter := range []report.Filter{{}, {OnlyRejected: true}, {Status: report.StatusClosed}} {
				whole := p.reports(0, filter)
				for size := 1; size <= len(whole)+1; size++ {
					require.Equal(p, whole, p.reportsByPages(0, filter, size), "pages of %d", size)
				}
			}
		}},
		{"the zero scope contains no report", func(p *probe) {
			p.fileMany(2)
			for _, scope := range []report.Scope{{}, report.InOrganization(0), report.InOrganization(-1)} {
				reports, err := p.Reports(p.Context(), report.ListRequest{Scope: scope, Limit: 10})
				require.NoError(p, err)
				require.Empty(p, reports)
			}
		}},
		{"pages of every size give the whole list", func(p *probe) {
			for i := range 8 {
				f := filing(strconv.Itoa(i), 1)
				f.OrganizationID = int64(1 + i%3/2)
				f.BrandID = int64(i % 2)
				p.file(f)
			}
			for _, filter := range []report.Filter{{}, {BrandIDs: []int64{1}}} {
				whole := p.reports(1, filter)
				for size := 1; size <= len(whole)+1; size++ {
					require.Equal(p, whole, p.reportsByPages(1, filter, size), "pages of %d", size)
				}
			}
		}},
		{"1,000 proposals are one report", func(p *probe) {
			filed := p.file(filing("report", numbersTo(1000)...))
			for n, proposal := range filed.Proposals {
				require.Equal(p, site(n), proposal.Asset.Identity)
			}
			last := filed.Proposals[999]
			reviewed := p.review(report.Review{ProposalID: last.ID, Status: report.ReviewReject, ReviewedAt: at(1)})
			require.Equal(p, report.StatusInProgress, reviewed.Status)
			require.Equal(p, report.ReviewReject, reviewed.Proposals[999].ReviewStatus)
			require.Equal(p, reviewed, p.newestReport(1))
			require.Len(p, p.reports(1, report.Filter{SearchQuery: site(999).Canonical}), 1)
		}},
		{"a cursor need not be at a report of the organization", func(p *probe) {
			p.fileMany(3)
			require.Equal(p, []string{"3", "2", "1"}, titles(p.reportsBelow(1, report.Filter{}, asset.MaxID, 10)))
			require.Equal(p, []string{"2"}, titles(p.reportsBelow(1, report.Filter{}, 3, 1)))
			require.Empty(p, p.reportsBelow(1, report.Filter{}, 1, 10))
			require.Empty(p, p.reportsBelow(2, report.Filter{}, 3, 10))
		}},
	}
}

// reportsByPages reads the whole list in pages of the given size.
func (p *probe) reportsByPages(organizationID int64, filter report.Filter, size int) []report.Report {
	p.Helper()
	return allPages(p, size, func(last report.Report) []report.Report {
		return p.reportsBelow(organizationID, filter, last.ID, size)
	})
}

func reviewChecks() []check {
	return []check{
		{"a review is recorded in its proposal alone", func(p *probe) {
			filed := p.file(filing("report", 1, 2))
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
		{"a review may come from nobody known", func(p *probe) {
			filed := p.file(filing("report", 1))
			got := p.review(report.Review{ProposalID: filed.Proposals[0].ID, Status: report.ReviewSkip, ReviewedAt: at(1)})
			require.Zero(p, got.Proposals[0].ReviewedBy)
			require.Equal(p, at(1), got.Proposals[0].ReviewedAt)
		}},
		{"a later decision is shown in the place of all of the earlier one", func(p *probe) {
			filed := p.file(filing("report", 1))
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
		{"the report's status follows from all its proposals", func(p *probe) {
			filed := p.file(filing("report", 1, 2, 3))
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
				require.Equal(p, step.want, got.Status, "after step %d, %s", i+1, step.review)
				require.Equal(p, []report.Report{got}, p.reports(1, report.Filter{Status: step.want}))
			}
		}},
		{"APPROVE gives the asset the proposed status and records the change", func(p *probe) {
			p.file(filing("another report"))
			filed := p.file(filing("report", 1))
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
		{"APPROVE of the status that the asset has is no change", func(p *probe) {
			p.set(site(1), asset.StatusBlocked, at(0))
			filed := p.file(filing("report", 1))
			review := report.Review{ProposalID: filed.Proposals[0].ID, Status: report.ReviewApprove, ReviewedAt: at(8)}
			require.Equal(p, report.StatusClosed, p.review(review).Status)
			p.review(review)
			require.Len(p, p.changes(asset.ChangeFilter{}), 1)
		}},
		{"APPROVE may take a status back to UNKNOWN", func(p *probe) {
			p.set(site(1), asset.StatusBlocked, at(0))
			f := filing("report", 1)
			f.Proposals[0].ProposedStatus = asset.StatusUnknown
			filed := p.file(f)
			p.review(report.Review{ProposalID: filed.Proposals[0].ID, Status: report.ReviewApprove, ReviewedAt: at(8)})
			newest := p.newestChange()
			require.Equal(p, asset.StatusBlocked, newest.From)
			require.Equal(p, asset.StatusUnknown, newest.To)
		}},
		{"REJECT, SKIP and ESCALATE leave the asset as it is", func(p *probe) {
			p.set(site(1), asset.StatusAllowed, at(0))
			filed := p.file(filing("report", 1))
			for _, status := range []report.ReviewStatus{report.ReviewReject, report.ReviewSkip, report.ReviewEscalate} {
				got := p.review(report.Review{ProposalID: filed.Proposals[0].ID, Status: status, ReviewedAt: at(8)})
				require.Equal(p, asset.StatusAllowed, got.Proposals[0].Asset.Status, status)
			}
			require.Len(p, p.changes(asset.ChangeFilter{}), 1)
		}},
		{"a rejection after an approval leaves the status that was approved", func(p *probe) {
			filed := p.file(filing("report", 1))
			id := filed.Proposals[0].ID
			p.review(report.Review{ProposalID: id, Status: report.ReviewApprove, ReviewedAt: at(1)})
			got := p.review(report.Review{ProposalID: id, Status: report.ReviewReject, ReviewedAt: at(2)})
			require.Equal(p, asset.StatusBlocked, got.Proposals[0].Asset.Status)
			require.Len(p, p.changes(asset.ChangeFilter{}), 1)
		}},
		{"another report with the same asset keeps its reviews", func(p *probe) {
			first, second := p.file(filing("first", 1)), p.file(filing("second", 1))
			p.review(report.Review{ProposalID: first.Proposals[0].ID, Status: report.ReviewApprove, ReviewedAt: at(1)})
			got := p.newestReport(1)
			require.Equal(p, second.ID, got.ID)
			require.Empty(p, got.Proposals[0].ReviewStatus)
			require.True(p, got.Proposals[0].ReviewedAt.IsZero(), "ReviewedAt of a proposal that nobody reviewed must be the zero time, not %v", got.Proposals[0].ReviewedAt)
			require.Equal(p, asset.StatusBlocked, got.Proposals[0].Asset.Status)
			require.Equal(p, at(0), got.UpdatedAt)
		}},
		{"a proposal that does not exist is ErrNotFound", func(p *probe) {
			p.file(filing("report", 1))
			for _, id := range []int64{0, -1, 1000, asset.MaxID} {
				_, err := addReview(p.Context(), p, report.Review{ProposalID: id, Status: report.ReviewApprove, ReviewedAt: at(1)})
				require.ErrorIs(p, err, report.ErrNotFound, "id %d", id)
			}
			require.Equal(p, at(0), p.newestReport(1).UpdatedAt)
		}},
	}
}
