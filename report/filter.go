package report

import (
	"fmt"
	"slices"

	"github.com/apguard/apguard/asset"
)

// Filter selects reports. A report must satisfy every field that is not zero. The zero
// Filter matches every report.
type Filter struct {
	Status Status
	// Identity matches reports that propose a status for this asset. Zero matches every report.
	Identity asset.Identity
	// SearchQuery matches if the title, the description or the canonical form of a
	// proposed asset contains it, ignoring letter case. Blank matches every report.
	SearchQuery string
	// ReporterQuery matches if the reporter's name or e-mail address contains it,
	// ignoring letter case. Blank matches every report.
	ReporterQuery string
	// ExcludeAutomation excludes reports that an automation filed.
	ExcludeAutomation bool
	// OnlyRejected matches reports with a proposal whose review status is REJECT. Other
	// proposals of the report may be approved.
	OnlyRejected bool
	// ReviewStatuses matches reports with a proposal that has one of these review
	// statuses. Empty matches every report.
	ReviewStatuses []ReviewStatus
	// ReviewedBy matches reports with a proposal whose effective review is by this user.
	ReviewedBy int64
	// Created is the period in which the report was filed.
	Created asset.Period
	// BrandIDs matches reports about one of these brands. Empty matches every report.
	BrandIDs []int64
}

// The limits of a filter.
const (
	// MaxQuery is the maximum length of a query in bytes.
	MaxQuery = 1000
	// MaxValues is the maximum length of ReviewStatuses and of BrandIDs.
	MaxValues = 1000
)

// Validate returns an [*asset.InputError] that names every invalid field.
func (f Filter) Validate() error {
	var issues asset.Issues
	issues.Check(f.Status == "" || f.Status.Valid(), "status", "must be TODO, IN_PROGRESS or CLOSED")
	issues.Check(f.Identity == asset.Identity{} || f.Identity.Type.Valid(), "content", "must be of an asset type")
	issues.CheckText("content", f.Identity.Canonical)
	issues.CheckTextLength("searchQuery", f.SearchQuery, MaxQuery)
	issues.CheckTextLength("reporterQuery", f.ReporterQuery, MaxQuery)
	checkValues(&issues, "reviewStatuses", f.ReviewStatuses, ReviewStatus.Valid, "must be APPROVE, REJECT, SKIP or ESCALATE")
	issues.CheckUser("reviewedByUserId", f.ReviewedBy)
	issues.Check(!f.Created.Backwards(), "startDate", "must not be after endDate")
	checkValues(&issues, "brandIds", f.BrandIDs, asset.ValidID, "must be brands' ids")
	return issues.Err()
}

func checkValues[T any](issues *asset.Issues, field string, values []T, valid func(T) bool, message string) {
	issues.Check(len(values) <= MaxValues, field, fmt.Sprintf("must hold at most %d elements", MaxValues))
	issues.Check(!slices.ContainsFunc(values, func(v T) bool { return !valid(v) }), field, message)
}

// Match reports whether the filter selects the report. [Store.Reports] must return the
// same reports.
func (f Filter) Match(r Report) bool {
	return (f.Status == "" || f.Status == r.Status) &&
		f.matchSearch(r) &&
		f.matchReporter(r.Reporter) &&
		(!f.ExcludeAutomation || !r.Reporter.Automation) &&
		f.matchProposals(r.Proposals) &&
		f.Created.Contains(r.CreatedAt) &&
		(len(f.BrandIDs) == 0 || slices.Contains(f.BrandIDs, r.BrandID))
}

func (f Filter) matchProposals(proposals []Proposal) bool {
	any := func(match func(Proposal) bool) bool { return slices.ContainsFunc(proposals, match) }
	return (f.Identity == asset.Identity{} || any(func(p Proposal) bool { return p.Asset.Identity == f.Identity })) &&
		(!f.OnlyRejected || any(func(p Proposal) bool { return p.ReviewStatus == ReviewReject })) &&
		(len(f.ReviewStatuses) == 0 || any(func(p Proposal) bool { return slices.Contains(f.ReviewStatuses, p.ReviewStatus) })) &&
		(f.ReviewedBy == 0 || any(func(p Proposal) bool { return p.ReviewedBy == f.ReviewedBy }))
}
