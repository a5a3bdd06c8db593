package plantest

import (
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

// ReportFilters returns all kinds of filters of reports. A database with statistics may scan
// all proposals for a SearchQuery.
func ReportFilters() map[string]report.Filter {
	var (
		since  = time.UnixMilli(5_000)
		before = time.UnixMilli(9_000)
		brands = []int64{7, 8, 9}
		review = []report.ReviewStatus{report.ReviewSkip}
		some   = []report.ReviewStatus{report.ReviewReject, report.ReviewSkip}
	)
	return map[string]report.Filter{
		"all":                     {},
		"TODO":                    {Status: report.StatusTodo},
		"IN_PROGRESS":             {Status: report.StatusInProgress},
		"CLOSED":                  {Status: report.StatusClosed},
		"an asset":                {Identity: asset.Identity{Type: asset.TypeURL, Canonical: "https://a.example"}},
		"a text":                  {SearchQuery: "a"},
		"a reporter":              {ReporterQuery: "a"},
		"no automation":           {ExcludeAutomation: true},
		"rejected":                {OnlyRejected: true},
		"one review status":       {ReviewStatuses: review},
		"two review statuses":     {ReviewStatuses: some},
		"all review statuses":     {ReviewStatuses: report.ReviewStatuses()},
		"a reviewer":              {ReviewedBy: 7},
		"a brand":                 {BrandIDs: brands[:1]},
		"brands":                  {BrandIDs: brands},
		"a period":                {Created: asset.Period{Since: since, Before: before}},
		"a period without end":    {Created: asset.Period{Since: since}},
		"a period without start":  {Created: asset.Period{Before: before}},
		"a status and a reviewer": {Status: report.StatusTodo, ReviewedBy: 7},
		"a status and a period":   {Status: report.StatusTodo, Created: asset.Period{Since: since}},
		"several fields": {
			Status: report.StatusTodo, ExcludeAutomation: true, OnlyRejected: true, ReviewedBy: 7, BrandIDs: brands,
		},
		"every field but the period": {
			Status: report.StatusTodo, SearchQuery: "a", ReporterQuery: "b", ExcludeAutomation: true, OnlyRejected: true,
			ReviewStatuses: report.ReviewStatuses(), ReviewedBy: 7, BrandIDs: brands,
		},
	}
}
