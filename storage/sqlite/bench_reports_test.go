//go:build cgo

package sqlite_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/test/benchtest"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage/sqlite"
)

// BenchmarkReports lists a page of 100 reports, of 1,000,000 and of 10,000. A filter matches all
// reports, one in a hundred, or none of those that are examined, which takes longest.
//
// "x/small" compares the time of the first page with that of the 10,000 reports. "x/deep"
// compares the time of a page in the middle of the reports with the same.
func BenchmarkReports(b *testing.B) {
	small, large := benchtest.Sized(10_000), benchtest.Sized(1_000_000)
	stores := map[int]*sqlite.Store{}
	for _, size := range []int{small, large} {
		stores[size] = open(b, filledReports(b, size))
	}
	type filter = report.Filter
	for _, test := range []struct {
		name   string
		filter filter
		// period has the ends of the period; see part.
		period [2]int
	}{
		{name: "all"},
		{name: "status", filter: filter{Status: report.StatusClosed}},
		{name: "rare status", filter: filter{Status: report.StatusInProgress}},
		{name: "old status", filter: filter{Status: report.StatusTodo}},
		{name: "brand", filter: filter{BrandIDs: []int64{1}}},
		{name: "rare brand", filter: filter{BrandIDs: []int64{2}}},
		{name: "no brand", filter: filter{BrandIDs: []int64{9}}},
		{name: "rare people", filter: filter{ExcludeAutomation: true}},
		{name: "rare rejection", filter: filter{OnlyRejected: true}},
		{name: "no review", filter: filter{ReviewStatuses: []report.ReviewStatus{report.ReviewEscalate}}},
		{name: "reviewer", filter: filter{ReviewedBy: 1}},
		{name: "rare reviewer", filter: filter{ReviewedBy: 2}},
		{name: "no reviewer", filter: filter{ReviewedBy: 9}},
		{name: "long period", period: [2]int{0, 1000}},
		{name: "no period", period: [2]int{2000, 3000}},
		{name: "status, no reviewer", filter: filter{Status: report.StatusClosed, ReviewedBy: 9}},
		{name: "text", filter: filter{SearchQuery: "Seed"}},
		{name: "rare text", filter: filter{SearchQuery: "77.example"}},
		{name: "no text", filter: filter{SearchQuery: "nowhere"}},
		{name: "reporter", filter: filter{ReporterQuery: "ada"}},
		{name: "no reporter", filter: filter{ReporterQuery: "nobody"}},
	} {
		b.Run(test.name, func(b *testing.B) {
			list := func(size, cursor int) func(int) {
				req := report.ListRequest{Scope: report.InOrganization(1), Filter: test.filter, Cursor: int64(cursor), Limit: report.MaxLimit}
				req.Filter.Created = benchtest.Part(size, test.period)
				return func(int) {
					_, err := stores[size].Reports(b.Context(), req)
					require.NoError(b, err)
				}
			}
			for b.Loop() {
				times := benchtest.Medians(benchtest.Rounds, list(small, 0), list(large, 0), list(large, large/2))
				benchtest.Figures(b, map[string]float64{
					"ms/page": times[1],
					"x/small": times[1] / times[0],
					"x/deep":  times[2] / times[0],
				})
			}
		})
	}
}
