package storagetest_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/step"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/storage/storagetest"
)

// scanning is a store whose pages examine another number of reports.
type scanning struct {
	storage.Store
	maximum int
	// counted reports whether a report counts as examined.
	counted func(report.ListRequest, report.Report) bool
}

func (s scanning) Reports(ctx context.Context, req report.ListRequest) (report.Page, error) {
	all, err := s.all(ctx)
	var (
		found []report.Report
		last  int64
	)
	examined := 0
	for _, r := range all {
		if req.Cursor != 0 && r.ID >= req.Cursor || !s.counted(req, r) {
			continue
		}
		if examined == s.maximum {
			return newPage(req, found, last), err
		}
		examined, last = examined+1, r.ID
		if req.Examines(r) && req.Filter.Match(r) {
			found = append(found, r)
		}
	}
	return newPage(req, found, 0), err
}

func newPage(req report.ListRequest, found []report.Report, last int64) report.Page {
	page, _ := step.ReadPage(req.Limit, func(yield func(report.Report, error) bool) {
		for _, r := range found {
			if !yield(r, nil) {
				return
			}
		}
	})
	return report.NewPage(page, last)
}

// all returns all reports of the store.
func (s scanning) all(ctx context.Context) ([]report.Report, error) {
	req := report.ListRequest{Scope: report.AnyOrganization(), Limit: report.MaxScan}
	var all []report.Report
	for {
		page, err := s.Store.Reports(ctx, req)
		all = append(all, page.Reports...)
		if err != nil || page.NextCursor == 0 {
			return all, err
		}
		req.Cursor = page.NextCursor
	}
}

func TestRun_FindsOtherScans(t *testing.T) {
	t.Parallel()
	examines := report.ListRequest.Examines
	for reason, c := range map[string]struct {
		maximum int
		counted func(report.ListRequest, report.Report) bool
		fails   bool
	}{
		"a store as the contract says": {report.MaxScan, examines, false},
		"a store that scans further":   {report.MaxScan + 1, examines, true},
		"a store that scans all":       {2 * report.MaxScan, examines, true},
		"a store that stops too early": {report.MaxScan - 1, examines, true},
		"a store that counts reports of other organizations": {report.MaxScan, func(req report.ListRequest, r report.Report) bool {
			return req.Filter.Status == "" || req.Filter.Status == r.Status
		}, true},
		"a store that counts reports with other statuses": {report.MaxScan, func(req report.ListRequest, r report.Report) bool {
			return req.Scope.Contains(r.OrganizationID)
		}, true},
	} {
		for _, check := range []string{
			"ReportScan/a page examines 5,000 reports, of its organization and with its status",
			"ReportScan/every filter examines 5,000 reports",
		} {
			t.Run(reason+": "+check, func(t *testing.T) {
				t.Parallel()
				failures := storagetest.Failures(t.Context(), check, func() storage.Store {
					return scanning{memory.New(), c.maximum, c.counted}
				})
				require.Equal(t, c.fails, len(failures) > 0, "%v", failures)
			})
		}
	}
}
