package storagetest

import (
	"slices"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/step"
)

// anyScope is the scope of one organization or of any.
var anyScope = rapid.Map(maybe(anyOrganization), scopeOf)

func (m *machine) fileRandomly(t *rapid.T) {
	f := report.FileCommand{
		OrganizationID: anyOrganization.Draw(t, "organization"),
		Title:          anyText.Draw(t, "title"),
		Description:    anyText.Draw(t, "description"),
		BrandID:        maybe(anyBrand).Draw(t, "brand"),
		ReporterID:     maybe(anyUser).Draw(t, "reporter"),
		At:             anyTime.Draw(t, "at"),
		Claim:          anyClaim("report").Draw(t, "claim"),
	}
	for _, id := range rapid.SliceOfNDistinct(anyIdentity, 0, 3, rapid.ID).Draw(t, "identities") {
		f.Proposals = append(f.Proposals, report.ProposedAsset{
			Identity:       id,
			Content:        rapid.SampledFrom([]string{id.Canonical, "submitted"}).Draw(t, "content"),
			ProposedStatus: anyStatus.Draw(t, "proposed"),
		})
	}
	refusal := m.model.checkClaim(f.Claim)
	if refusal != nil {
		_, err := m.FileReport(m.Context(), f)
		m.refusedClaim(refusal, err)
		return
	}
	got := m.file(f)
	require.Len(m, got.Proposals, len(f.Proposals))
	m.model.keep(f.Claim, f.Record(got))
	m.assigned("report", got.ID)
	want := report.Report{
		ID:             got.ID,
		OrganizationID: f.OrganizationID,
		Title:          f.Title,
		Description:    f.Description,
		Status:         report.StatusTodo,
		BrandID:        f.BrandID,
		Reporter:       report.Reporter{ID: f.ReporterID},
		CreatedAt:      f.At,
		UpdatedAt:      f.At,
	}
	var registered []int64
	for i, filed := range f.Proposals {
		m.assigned("proposal", got.Proposals[i].ID)
		known := m.model.asset(filed.Identity)
		if known == nil {
			registered = append(registered, got.Proposals[i].Asset.ID)
			known = m.model.register(got.Proposals[i].Asset.ID, filed.Identity)
		}
		want.Proposals = append(want.Proposals, report.Proposal{
			ID:             got.Proposals[i].ID,
			Asset:          asset.Asset{ID: known.ID},
			Content:        filed.Content,
			ProposedStatus: filed.ProposedStatus,
		})
	}
	m.assigned("asset", registered...)
	m.model.reports = append(m.model.reports, want)
	m.sameReports([]report.Report{m.model.show(want)}, []report.Report{got})
}

func (m *machine) readReports(t *rapid.T) {
	req := report.ListRequest{
		Scope:  anyScope.Draw(t, "organization"),
		Filter: anyReportFilter.Draw(t, "filter"),

		OldestFirst: rapid.Bool().Draw(t, "oldest first"),

		Cursor: rapid.Int64Range(0, m.last["report"]+1).Draw(t, "cursor"),
		Limit:  anyLimit.Draw(t, "limit"),
	}
	m.compareReportPage(req)
}

func (m *machine) compareReports(scope report.Scope) {
	m.Helper()
	for _, oldestFirst := range []bool{false, true} {
		all := report.ListRequest{Scope: scope, OldestFirst: oldestFirst, Limit: noLimit}
		m.compareReportPage(all)
		sameList(m, orNil(m.reportPage(all).Reports), func(last report.Report) step.Page[report.Report] {
			page := m.reportPage(report.ListRequest{Scope: scope, OldestFirst: oldestFirst, Cursor: last.ID, Limit: m.pageSize})
			return step.Page[report.Report]{Items: page.Reports, More: page.NextCursor != 0}
		})
	}
}

func (m *machine) compareReportPage(req report.ListRequest) {
	m.Helper()
	want, got := m.model.reportPage(req), m.reportPage(req)
	m.sameReports(want.Reports, got.Reports)
	require.Equal(m, want.NextCursor, got.NextCursor, "the next cursor of Reports with %+v", req)
}

func (m *machine) readReport(t *rapid.T) {
	scope := anyScope.Draw(t, "scope")
	id := rapid.Int64Range(1, m.last["report"]+1).Draw(t, "report")
	got, err := m.ReportByID(m.Context(), scope, id)
	r := m.model.report(scope, id)
	if r == nil {
		require.ErrorIs(m, err, report.ErrNotFound)
		return
	}
	require.NoError(m, err)
	m.sameReports([]report.Report{m.model.show(*r)}, []report.Report{got})
}

func (m *model) report(scope report.Scope, id int64) *report.Report {
	return find(m.reports, func(r report.Report) bool { return r.ID == id && scope.Contains(r.OrganizationID) })
}

func (m *machine) sameReports(want, got []report.Report) {
	m.Helper()
	require.Equal(m, titles(want), titles(got), "the titles of the reports")
	for i := range want {
		want[i].Proposals, got[i].Proposals = orNil(want[i].Proposals), orNil(got[i].Proposals)
		require.Equal(m, want[i], got[i], "report %d", want[i].ID)
	}
}

// show returns a report with its reporter and assets as stored.
func (m *model) show(r report.Report) report.Report {
	if user := m.user(r.Reporter.ID); user != nil {
		r.Reporter = report.Reporter{ID: user.ID, FullName: user.FullName, Email: user.Email, Automation: user.Automation}
	}
	r.Proposals = slices.Clone(r.Proposals)
	for i := range r.Proposals {
		r.Proposals[i].Asset = *m.assetByID(r.Proposals[i].Asset.ID)
	}
	return r
}

// reportPage returns a page of the reports. The model has too few to exceed report.MaxScan.
func (m *model) reportPage(req report.ListRequest) report.Page {
	var found []report.Report
	for _, r := range slices.Backward(m.reports) {
		shown := m.show(r)
		after := req.Cursor == 0 || (r.ID > req.Cursor) == req.OldestFirst && r.ID != req.Cursor
		if req.Scope.Contains(r.OrganizationID) && after && req.Filter.Match(shown) {
			found = append(found, shown)
		}
	}
	if req.OldestFirst {
		slices.Reverse(found)
	}
	return report.NewPage(firstPage(found, req.Limit), 0)
}
