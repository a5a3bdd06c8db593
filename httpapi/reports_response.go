package httpapi

import (
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

// The types of the responses with reports. The specification does not show the fields of a
// report. Unknown values are null, so that every report has all fields.

// reportsResponse is a page of reports in the form for an organization or for operators.
type reportsResponse[Report any] struct {
	Reports    []Report `json:"reports"`
	NextCursor *int64   `json:"nextCursor"`
}

type reportResponse struct {
	ID          int64              `json:"id"`
	Title       string             `json:"title"`
	Description string             `json:"description"`
	Status      report.Status      `json:"status"`
	CreatedAt   string             `json:"createdAt"`
	UpdatedAt   string             `json:"updatedAt"`
	BrandID     *int64             `json:"brandId"`
	Reporter    *reporterResponse  `json:"reporter"`
	Proposals   []proposalResponse `json:"proposals"`
}

type reporterResponse struct {
	ID         int64   `json:"id"`
	FullName   *string `json:"fullName"`
	Email      *string `json:"email"`
	Automation bool    `json:"automation"`
}

type proposalResponse struct {
	ID             int64                `json:"id"`
	Asset          assetResponse        `json:"asset"`
	ProposedStatus asset.Status         `json:"proposedStatus"`
	ReviewStatus   *report.ReviewStatus `json:"reviewStatus"`
	ReviewedBy     *int64               `json:"reviewedBy"`
	ReviewedAt     *string              `json:"reviewedAt"`
}

type assetResponse struct {
	ID      int64        `json:"id"`
	Type    asset.Type   `json:"type"`
	Content string       `json:"content"`
	Status  asset.Status `json:"status"`
}

// reportsOf returns the response for a page, given that for a report.
func reportsOf[Report any](form func(report.Report) Report) func(report.Page) reportsResponse[Report] {
	return func(page report.Page) reportsResponse[Report] {
		return reportsResponse[Report]{Reports: mapped(page.Reports, form), NextCursor: known(page.NextCursor)}
	}
}

func newReportResponse(r report.Report) reportResponse {
	response := reportResponse{
		ID:          r.ID,
		Title:       r.Title,
		Description: r.Description,
		Status:      r.Status,
		CreatedAt:   timestamp(r.CreatedAt),
		UpdatedAt:   timestamp(r.UpdatedAt),
		BrandID:     known(r.BrandID),
		Proposals:   mapped(r.Proposals, newProposalResponse),
	}
	if r.Reporter.ID != 0 {
		response.Reporter = &reporterResponse{
			ID:         r.Reporter.ID,
			FullName:   known(r.Reporter.FullName),
			Email:      known(r.Reporter.Email),
			Automation: r.Reporter.Automation,
		}
	}
	return response
}

func filedReport(filed report.Filed) (reportResponse, bool) {
	return newReportResponse(filed.Report), filed.Replayed
}

func newProposalResponse(p report.Proposal) proposalResponse {
	return proposalResponse{
		ID:             p.ID,
		Asset:          newAssetResponse(p.Asset),
		ProposedStatus: p.ProposedStatus,
		ReviewStatus:   known(p.ReviewStatus),
		ReviewedBy:     known(p.ReviewedBy),
		ReviewedAt:     knownTime(p.ReviewedAt),
	}
}

func newAssetResponse(a asset.Asset) assetResponse {
	return assetResponse{ID: a.ID, Type: a.Type, Content: a.Canonical, Status: a.Status}
}
