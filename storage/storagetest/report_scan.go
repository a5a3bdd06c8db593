package storagetest

import (
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
)

func reportScanChecks() []requirement {
	return []requirement{
		{"a page examines 5,000 reports, of its organization and with its status", needs("Import", scannedReports)},
		{"a page with the oldest reports first examines 5,000 reports", needs("Import", scannedOldestFirst)},
		{"every filter examines 5,000 reports", needs("Import", scanOfEachFilter)},
	}
}

// The brands of scanSeed. Few reports have one.
const (
	newestBrand = 1 + iota // the newest report
	insideBrand            // the newest, and the last one that is examined
	beyondBrand            // the first one that is not examined
	noBrand
)

// scanSeed returns a seed with 5,002 TODO reports of organization 1. Some reports of
// organization 2 and with other statuses lie between them.
func scanSeed() storage.Seed {
	seed := storage.Seed{
		Organizations: []storage.SeedOrganization{{ID: 1, Slug: "one"}, {ID: 2, Slug: "two"}},
		Users:         []account.User{{ID: 1, FullName: "Robot", Automation: true}},
	}
	add := func(r storage.SeedReport) {
		r.ID, r.Reporter, r.CreatedAt = int64(len(seed.Reports)+1), 1, at(0)
		seed.Reports = append(seed.Reports, r)
	}
	approved := []storage.SeedProposal{{
		Content: site(1).Canonical, ProposedStatus: asset.StatusBlocked, ReviewStatus: report.ReviewApprove, ReviewedAt: at(1),
	}}
	const todo = report.MaxScan + 2
	for i := todo; i >= 1; i-- { // newest last
		brand := int64(0)
		switch i {
		case 1:
			brand = newestBrand
		case report.MaxScan:
			brand = insideBrand
		case report.MaxScan + 1:
			brand = beyondBrand
		}
		add(storage.SeedReport{Organization: "one", BrandID: brand})
		if i%1000 == 0 {
			add(storage.SeedReport{Organization: "one", Proposals: approved})
			add(storage.SeedReport{Organization: "two"})
		}
	}
	return seed
}

// scanned returns the IDs of the reports of scanSeed that a request without cursor and limit
// can examine, newest first.
func scanned(p *probe, req report.ListRequest) []int64 {
	p.Helper()
	seed := scanSeed()
	records, err := seed.Records()
	require.NoError(p, err)
	var ids []int64
	for _, r := range slices.Backward(records.Reports) {
		if req.Scope.Contains(r.OrganizationID) && (req.Filter.Status == "" || req.Filter.Status == r.Status) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// scannedOldestFirst requires that a list of the oldest reports examines as many as one of the newest.
func scannedOldestFirst(p *probe) {
	p.importSeed(scanSeed())
	for _, scope := range []report.Scope{report.InOrganization(1), report.AnyOrganization()} {
		for _, status := range []report.Status{report.StatusTodo, ""} {
			req := report.ListRequest{Scope: scope, Filter: report.Filter{Status: status, BrandIDs: []int64{newestBrand}}, OldestFirst: true, Limit: 10}
			ids := scanned(p, req)
			newest := ids[0]
			slices.Reverse(ids)
			last := ids[report.MaxScan-1]
			p.requirePage(req, nil, last, "the newest report is not examined")
			req.Cursor = last
			p.requirePage(req, []int64{newest}, 0, "the newest report is on the second page")
			req.Filter.BrandIDs, req.Cursor = []int64{insideBrand, beyondBrand}, 0
			p.requirePage(req, ids[1:3], last, "the matches are in the order of the list")
			req.Limit = 1
			p.requirePage(req, ids[1:2], ids[1], "a full page")
		}
	}
}

func scannedReports(p *probe) {
	p.importSeed(scanSeed())
	const scan = report.MaxScan
	for _, scope := range []report.Scope{report.InOrganization(1), report.AnyOrganization()} {
		for _, status := range []report.Status{report.StatusTodo, ""} {
			req := report.ListRequest{Scope: scope, Filter: report.Filter{Status: status, BrandIDs: []int64{noBrand}}, Limit: 10}
			ids := scanned(p, req)
			p.requirePage(req, nil, ids[scan-1], "no match")
			req.Cursor = ids[scan-1]
			p.requirePage(req, nil, 0, "no match among the last")
			req.Cursor = ids[len(ids)-scan-1]
			p.requirePage(req, nil, 0, "no match among the last 5,000")
			req.Cursor = ids[len(ids)-scan-2]
			p.requirePage(req, nil, ids[len(ids)-2], "no match among the last 5,001")
		}
	}

	req := report.ListRequest{Scope: report.InOrganization(1), Filter: report.Filter{Status: report.StatusTodo}}
	ids := scanned(p, req)
	newest, inside, beyond := ids[0], ids[scan-1], ids[scan]
	for _, test := range []struct {
		reason string
		brands []int64
		cursor int64
		limit  int
		want   []int64
		next   int64
	}{
		{"the last report that is examined", []int64{insideBrand}, 0, 1, []int64{inside}, inside},
		{"the first report that is not examined", []int64{beyondBrand}, 0, 1, nil, inside},
		{"the first report of the next page", []int64{beyondBrand}, inside, 1, []int64{beyond}, 0},
		{"a full page, with another match", []int64{newestBrand, insideBrand}, 0, 1, []int64{newest}, newest},
		{"a full page, without another match", []int64{newestBrand}, 0, 1, []int64{newest}, inside},
		{"a full page, with another match that is not examined", []int64{newestBrand, beyondBrand}, 0, 1, []int64{newest}, inside},
		{"a page with all matches that are examined", []int64{newestBrand, insideBrand, beyondBrand}, 0, 3, []int64{newest, inside}, inside},
		{"a cursor moves what is examined", []int64{insideBrand, beyondBrand}, newest, 2, []int64{inside, beyond}, beyond},
		{"a limit of 5,000", []int64{newestBrand, insideBrand, beyondBrand}, 0, scan, []int64{newest, inside}, inside},
		{"a limit above 5,000", []int64{newestBrand, insideBrand, beyondBrand}, 0, scan + 1, []int64{newest, inside}, inside},
	} {
		req.Filter.BrandIDs, req.Cursor, req.Limit = test.brands, test.cursor, test.limit
		p.requirePage(req, test.want, test.next, test.reason)
	}
}

// requirePage requires that a page has the reports with the IDs and the cursor.
func (p *probe) requirePage(req report.ListRequest, ids []int64, next int64, reason string) {
	p.Helper()
	page := p.reportPage(req)
	got := make([]int64, len(page.Reports))
	for i, r := range page.Reports {
		got[i] = r.ID
	}
	require.Equal(p, ids, orNil(got), "%s: the reports of a page with %+v", reason, req)
	require.Equal(p, next, page.NextCursor, "%s: the next cursor of a page with %+v", reason, req)
}

// scanOfEachFilter lists reports with filters that match none.
func scanOfEachFilter(p *probe) {
	p.importSeed(scanSeed())
	for name, filter := range map[string]report.Filter{
		"an asset":                {Identity: site(7)},
		"a search":                {SearchQuery: "needle"},
		"a search for a reporter": {ReporterQuery: "needle"},
		"no automation":           {ExcludeAutomation: true},
		"only rejected":           {OnlyRejected: true},
		"review statuses":         {ReviewStatuses: []report.ReviewStatus{report.ReviewSkip}},
		"a reviewer":              {ReviewedBy: 7},
		"a period":                {Created: asset.Period{Since: at(1)}},
		"brands":                  {BrandIDs: []int64{noBrand}},
	} {
		for _, status := range []report.Status{"", report.StatusTodo} {
			filter.Status = status
			req := report.ListRequest{Scope: report.InOrganization(1), Filter: filter, Limit: 10}
			last := scanned(p, req)[report.MaxScan-1]
			p.requirePage(req, nil, last, name)
		}
	}
}
