//go:build cgo

package sqlite_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/benchtest"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage/sqlite"
)

// BenchmarkReports lists a page of 100 reports, of 1,000,000 and of 10,000. Each filter matches
// at least one report in a hundred. The matches are spread evenly, or are all old and end in the
// middle of a block. Only a search for a rare text may read all reports.
//
// "x/small" compares the time of the first page with that of the 10,000 reports. "x/deep"
// compares the time of a page in the middle of the matches with the same.
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
		// deep is the start of the page in the middle, in hundredths of all reports.
		deep int
	}{
		{name: "all", deep: 50},
		{name: "status", filter: filter{Status: report.StatusClosed}, deep: 50},
		{name: "rare status", filter: filter{Status: report.StatusInProgress}, deep: 50},
		{name: "old status", filter: filter{Status: report.StatusTodo}, deep: 1},
		{name: "brand", filter: filter{BrandIDs: []int64{1}}, deep: 50},
		{name: "rare brand", filter: filter{BrandIDs: []int64{2}}, deep: 50},
		{name: "old brand", filter: filter{BrandIDs: []int64{3}}, deep: 1},
		{name: "brands", filter: filter{BrandIDs: []int64{2, 3}}, deep: 50},
		{name: "rare people", filter: filter{ExcludeAutomation: true}, deep: 50},
		{name: "rare rejection", filter: filter{OnlyRejected: true}, deep: 50},
		{name: "rare review", filter: filter{ReviewStatuses: []report.ReviewStatus{report.ReviewSkip}}, deep: 50},
		{name: "old review", filter: filter{ReviewStatuses: []report.ReviewStatus{report.ReviewEscalate}}, deep: 1},
		{name: "reviewer", filter: filter{ReviewedBy: 1}, deep: 50},
		{name: "rare reviewer", filter: filter{ReviewedBy: 2}, deep: 50},
		{name: "old reviewer", filter: filter{ReviewedBy: 3}, deep: 1},
		{name: "new period", period: [2]int{975, 1000}, deep: 99},
		{name: "old period", period: [2]int{0, 25}, deep: 1},
		{name: "long period", period: [2]int{0, 455}, deep: 25},
		{name: "old period, status", filter: filter{Status: report.StatusClosed}, period: [2]int{25, 55}, deep: 4},
		{name: "old period, brand", filter: filter{BrandIDs: []int64{1}}, period: [2]int{25, 55}, deep: 4},
		{name: "old brand, old reviewer", filter: filter{BrandIDs: []int64{3}, ReviewedBy: 3}, deep: 1},
		{name: "brand, rare reviewer", filter: filter{BrandIDs: []int64{1}, ReviewedBy: 2}, deep: 50},
		{name: "status, rare review", filter: filter{Status: report.StatusClosed, OnlyRejected: true}, deep: 50},
		{name: "text", filter: filter{SearchQuery: "Seed"}, deep: 50},
		{name: "rare text", filter: filter{SearchQuery: "Report 77"}, deep: 50},
	} {
		b.Run(test.name, func(b *testing.B) {
			list := func(size, cursor int) func(int) {
				filter := test.filter
				filter.Created = part(size, test.period)
				return func(int) {
					found, err := stores[size].Reports(b.Context(), report.ListRequest{Scope: report.InOrganization(1), Filter: filter, Cursor: int64(cursor), Limit: report.MaxLimit})
					require.NoError(b, err)
					require.NotEmpty(b, found)
				}
			}
			for b.Loop() {
				times := benchtest.Medians(benchtest.Rounds, list(small, 0), list(large, 0), list(large, large/100*test.deep))
				benchtest.Figures(b, map[string]float64{
					"ms/page": times[1],
					"x/small": times[1] / times[0],
					"x/deep":  times[2] / times[0],
				})
			}
		})
	}
}
