package client

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/url"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

// Report is a report with its proposals.
type Report struct {
	ID          int64         `json:"id"`
	Title       string        `json:"title"`
	Description string        `json:"description"`
	Status      report.Status `json:"status"`
	// CreatedAt is when the report was filed.
	CreatedAt time.Time `json:"createdAt"`
	// UpdatedAt is when it was filed or last reviewed.
	UpdatedAt time.Time `json:"updatedAt"`
	// BrandID is 0 if it is unknown.
	BrandID int64 `json:"brandId"`
	// Reporter is zero if it is unknown.
	Reporter  report.Reporter `json:"reporter"`
	Proposals []Proposal      `json:"proposals"`
}

func (r *Report) validate() error {
	if !asset.ValidID(r.ID) || r.Status == "" {
		return responseError("a report is incomplete")
	}
	return validateAll(r.Proposals, func(proposal Proposal) error {
		return errors.Join(validateAsset(proposal.Asset), validateStatus(proposal.ProposedStatus))
	})
}

// Proposal is a status that a report proposes for an asset.
type Proposal struct {
	ID int64 `json:"id"`
	// Asset is the asset with its present status.
	Asset          asset.Asset  `json:"asset"`
	ProposedStatus asset.Status `json:"proposedStatus"`
	// ReviewStatus is the latest review. It is empty if the proposal was not reviewed.
	ReviewStatus report.ReviewStatus `json:"reviewStatus"`
	// ReviewedBy is the last reviewer, or 0.
	ReviewedBy int64 `json:"reviewedBy"`
	// ReviewedAt is the time of the last review, or zero.
	ReviewedAt time.Time `json:"reviewedAt"`
}

// UnmarshalJSON implements [json.Unmarshaler].
func (p *Proposal) UnmarshalJSON(text []byte) error {
	type plain Proposal
	body := struct {
		*plain
		Asset assetBody `json:"asset"`
	}{plain: (*plain)(p)}
	err := json.Unmarshal(text, &body)
	p.Asset = body.Asset.value()
	return err
}

// ReportsRequest asks for a page of the reports of the key's organization. A report must match all
// filters that are set.
type ReportsRequest struct {
	Status report.Status
	// SearchQuery is a text in the title, the description or the canonical form of a proposed asset.
	SearchQuery string
	// ReporterQuery is a text in the reporter's name or e-mail address.
	ReporterQuery string
	// ExcludeAutomation excludes reports filed by automation.
	ExcludeAutomation bool
	// OnlyRejected selects reports with a rejected proposal.
	OnlyRejected bool
	// ReviewStatuses selects reports with a proposal that has one of these.
	ReviewStatuses []report.ReviewStatus
	// ReviewedBy selects reports with a proposal that this user has reviewed.
	ReviewedBy int64
	// StartDate and EndDate are the first and the last day in UTC, such as "2025-01-05", or times in
	// the format of RFC 3339.
	StartDate, EndDate string
	// BrandIDs selects reports about one of these brands.
	BrandIDs []int64
	// Cursor is the NextCursor of the previous page, or 0 for the first page.
	Cursor int64
	// Limit is the largest number of reports in a page, from 1 to 100. Zero means 50.
	Limit int
}

// ReportsPage is a page of reports, newest first.
type ReportsPage struct {
	Reports []Report `json:"reports"`
	// NextCursor continues the list. It is 0 on the last page. A page with few reports, or none, can
	// have a next page.
	NextCursor int64 `json:"nextCursor"`
}

func (p *ReportsPage) validate() error {
	return validatePage(p.Reports, func(report Report) error { return report.validate() }, p.NextCursor)
}

const reportsPath = "/organization/reports"

// ListReports returns a page of the reports of the key's organization.
func (c *Client) ListReports(ctx context.Context, req ReportsRequest) (ReportsPage, error) {
	return getPage[ReportsPage](ctx, c.sender, reportsPath, req.query())
}

func (req ReportsRequest) query() url.Values {
	query := make(url.Values)
	setText(query, "status", req.Status)
	setText(query, "searchQuery", req.SearchQuery)
	setText(query, "reporterQuery", req.ReporterQuery)
	setFlag(query, "excludeAutomation", req.ExcludeAutomation)
	setFlag(query, "onlyRejected", req.OnlyRejected)
	for _, status := range req.ReviewStatuses {
		query.Add("reviewStatuses", string(status))
	}
	setNumber(query, "reviewedByUserId", req.ReviewedBy)
	setText(query, "startDate", req.StartDate)
	setText(query, "endDate", req.EndDate)
	setNumbers(query, "brandIds", req.BrandIDs)
	setNumber(query, "cursor", req.Cursor)
	setNumber(query, "limit", int64(req.Limit))
	return query
}

// Reports yields all reports from req.Cursor on, page by page.
func (c *Client) Reports(ctx context.Context, req ReportsRequest) iter.Seq2[Report, error] {
	return pages("GET "+reportsPath, req.Cursor, func(cursor int64) ([]Report, int64, error) {
		req.Cursor = cursor
		page, err := c.ListReports(ctx, req)
		return page.Reports, page.NextCursor, err
	})
}
