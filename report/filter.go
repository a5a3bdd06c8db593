package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apguard/apguard/asset"
)

// Filter chooses reports. Each field that is not its zero value must hold; the
// zero Filter matches every report.
type Filter struct {
	Status Status
	// SearchQuery must be contained, without regard to letter case, in the title,
	// the description or the content of a proposal's asset. Blank means any.
	SearchQuery string
	// ReporterQuery must be contained, without regard to letter case, in the
	// reporter's name or e-mail address. Blank means any.
	ReporterQuery string
	// ExcludeAutomation leaves out reports that an automation filed.
	ExcludeAutomation bool
	// OnlyRejected asks for a proposal with the review status REJECT. The report
	// may have approved ones as well.
	OnlyRejected bool
	// ReviewStatuses asks for a proposal with one of them. Empty means any.
	ReviewStatuses []ReviewStatus
	// ReviewedBy asks for a proposal that this user reviewed last.
	ReviewedBy int64
	// Created is the period in which the report was filed.
	Created asset.Period
	// BrandIDs asks for one of these brands. Empty means any.
	BrandIDs []int64
}

// The bounds of the work that one filter can ask for.
const (
	// MaxQuery is the largest number of bytes of a query.
	MaxQuery = 1000
	// MaxValues is the largest number of values of each list.
	MaxValues = 1000
)

// Validate returns an [*asset.InputError] when the filter is wrong in itself.
func (f Filter) Validate() error {
	var issues asset.Issues
	issues.Check(f.Status == "" || f.Status.Valid(), "status", "must be TODO, IN_PROGRESS or CLOSED")
	checkQuery(&issues, "searchQuery", f.SearchQuery)
	checkQuery(&issues, "reporterQuery", f.ReporterQuery)
	checkLength(&issues, "reviewStatuses", len(f.ReviewStatuses))
	issues.Check(!slices.ContainsFunc(f.ReviewStatuses, invalidReview), "reviewStatuses", "must be APPROVE, REJECT, SKIP or ESCALATE")
	issues.CheckUser("reviewedByUserId", f.ReviewedBy)
	issues.Check(!f.Created.Backwards(), "startDate", "must not be after endDate")
	checkLength(&issues, "brandIds", len(f.BrandIDs))
	issues.Check(!slices.ContainsFunc(f.BrandIDs, invalidID), "brandIds", "must be brands' ids")
	return issues.Err()
}

func checkQuery(issues *asset.Issues, field, query string) {
	issues.CheckText(field, query)
	issues.Check(len(query) <= MaxQuery, field, fmt.Sprintf("must be at most %d bytes long", MaxQuery))
}

func checkLength(issues *asset.Issues, field string, length int) {
	issues.Check(length <= MaxValues, field, fmt.Sprintf("must hold at most %d elements", MaxValues))
}

func invalidReview(s ReviewStatus) bool { return !s.Valid() }

func invalidID(id int64) bool { return !asset.ValidID(id) }

// Match reports whether the filter chooses r. Every store answers as this
// function does.
func (f Filter) Match(r Report) bool {
	return (f.Status == "" || f.Status == r.Status) &&
		f.matchSearch(r) &&
		f.matchReporter(r.Reporter) &&
		(!f.ExcludeAutomation || !r.Reporter.Automation) &&
		f.matchReviews(r.Proposals) &&
		f.Created.Contains(r.CreatedAt) &&
		(len(f.BrandIDs) == 0 || slices.Contains(f.BrandIDs, r.BrandID))
}

func (f Filter) matchSearch(r Report) bool {
	query := SearchTerm(f.SearchQuery)
	return query == "" || contains(r.Title, query) || contains(r.Description, query) ||
		slices.ContainsFunc(r.Proposals, func(p Proposal) bool { return contains(p.Asset.Canonical, query) })
}

func (f Filter) matchReporter(reporter Reporter) bool {
	query := SearchTerm(f.ReporterQuery)
	return query == "" || contains(reporter.FullName, query) || contains(reporter.Email, query)
}

func (f Filter) matchReviews(proposals []Proposal) bool {
	any := func(match func(Proposal) bool) bool { return slices.ContainsFunc(proposals, match) }
	return (!f.OnlyRejected || any(func(p Proposal) bool { return p.ReviewStatus == ReviewReject })) &&
		(len(f.ReviewStatuses) == 0 || any(func(p Proposal) bool { return slices.Contains(f.ReviewStatuses, p.ReviewStatus) })) &&
		(f.ReviewedBy == 0 || any(func(p Proposal) bool { return p.ReviewedBy == f.ReviewedBy }))
}

// SearchTerm returns the folded text that a query asks for, or "" when the query
// is blank and asks for nothing. White space around a query counts, as it may be
// part of what is looked for.
func SearchTerm(query string) string {
	if strings.TrimSpace(query) == "" {
		return ""
	}
	return Fold(query)
}

func contains(text, folded string) bool {
	return strings.Contains(Fold(text), folded)
}
