package storagetest

import (
	"strconv"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

func (p *probe) file(cmd report.FileCommand) report.Report {
	p.Helper()
	filed, err := p.FileReport(p.Context(), cmd)
	require.NoError(p, err, "FileReport %q", cmd.Title)
	require.Len(p, filed.Proposals, len(cmd.Proposals), "FileReport must return every proposal")
	return filed
}

// reports returns all reports of an organization, or of any for 0, that the filter matches.
func (p *probe) reports(organizationID int64, filter report.Filter) []report.Report {
	p.Helper()
	return p.reportsBelow(organizationID, filter, 0, noLimit)
}

func (p *probe) reportsBelow(organizationID int64, filter report.Filter, cursor int64, limit int) []report.Report {
	p.Helper()
	return p.reportPage(report.ListRequest{Scope: scopeOf(organizationID), Filter: filter, Cursor: cursor, Limit: limit}).Reports
}

func (p *probe) reportPage(req report.ListRequest) report.Page {
	p.Helper()
	page, err := p.Reports(p.Context(), req)
	require.NoError(p, err, "Reports with %+v", req)
	return page
}

func (p *probe) reportBacklog(scope report.Scope) report.Backlog {
	p.Helper()
	backlog, err := p.ReportBacklog(p.Context(), scope)
	require.NoError(p, err, "ReportBacklog")
	return backlog
}

// allReports reads all pages from the request's on.
func (p *probe) allReports(req report.ListRequest) []report.Report {
	p.Helper()
	var all []report.Report
	for range 1000 {
		page := p.reportPage(req)
		require.LessOrEqual(p, len(page.Reports), req.Limit, "a page must not be longer than the limit")
		all = append(all, page.Reports...)
		if req.Cursor = page.NextCursor; req.Cursor == 0 {
			return all
		}
	}
	require.FailNow(p, "a list must end with a page without a next cursor", "pages of %d", req.Limit)
	return nil
}

// newestReport returns the first report of an organization.
func (p *probe) newestReport(organizationID int64) report.Report {
	p.Helper()
	return only(p, p.reportsBelow(organizationID, report.Filter{}, 0, 1))
}

// proposalOf returns a proposal of a report.
func proposalOf(p *probe, r report.Report, id int64) report.Proposal {
	p.Helper()
	found := find(r.Proposals, func(proposal report.Proposal) bool { return proposal.ID == id })
	require.NotNil(p, found, "report %d must have the proposal %d", r.ID, id)
	return *found
}

// reportByID returns a report of any organization.
func (p *probe) reportByID(id int64) report.Report {
	p.Helper()
	got, err := p.ReportByID(p.Context(), report.AnyOrganization(), id)
	require.NoError(p, err, "ReportByID %d", id)
	return got
}

// scopeOf returns the scope of an organization, or of any for 0.
func scopeOf(organizationID int64) report.Scope {
	if organizationID == 0 {
		return report.AnyOrganization()
	}
	return report.InOrganization(organizationID)
}

// fileCommand returns a command that files a report of organization 1. It proposes to
// block the assets.
func fileCommand(title string, numbers ...int) report.FileCommand {
	f := report.FileCommand{OrganizationID: 1, Title: title, At: at(0)}
	for _, n := range numbers {
		f.Proposals = append(f.Proposals, report.ProposedAsset{
			Identity:       site(n),
			Content:        site(n).Canonical,
			ProposedStatus: asset.StatusBlocked,
		})
	}
	return f
}

// titles returns the titles of the reports.
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
		p.file(fileCommand(strconv.Itoa(i + 1)))
	}
}

// newProposal files a report with one proposal, which blocks asset 1.
func (p *probe) newProposal() report.Proposal {
	p.Helper()
	return p.file(fileCommand("report", 1)).Proposals[0]
}
