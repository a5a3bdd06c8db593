package httpapi

import "github.com/apguard/apguard/report"

type operatorReportsResponse struct {
	Reports    []operatorReport `json:"reports"`
	NextCursor *int64           `json:"nextCursor"`
}

// operatorReport is a report with the fields that only operators see.
type operatorReport struct {
	reportResponse
	OrganizationID int64              `json:"organizationId"`
	Proposals      []operatorProposal `json:"proposals"`
}

type operatorProposal struct {
	proposalResponse
	// Content is the text that was submitted.
	Content  string `json:"content"`
	ReviewID *int64 `json:"reviewId"`
}

type reviewsResponse struct {
	Reviews []reviewResponse `json:"reviews"`
}

type reviewResponse struct {
	ID              int64               `json:"id"`
	ProposalID      int64               `json:"proposalId"`
	ReviewStatus    report.ReviewStatus `json:"reviewStatus"`
	ReviewedBy      *int64              `json:"reviewedBy"`
	Comment         string              `json:"comment"`
	ReviewedAt      *string             `json:"reviewedAt"`
	WithdrawnAt     *string             `json:"withdrawnAt"`
	WithdrawnBy     *int64              `json:"withdrawnBy"`
	WithdrawnReason *string             `json:"withdrawnReason"`
}

func newOperatorReportsResponse(page report.Page) operatorReportsResponse {
	response := operatorReportsResponse{
		Reports:    make([]operatorReport, len(page.Reports)),
		NextCursor: known(page.NextCursor),
	}
	for i, r := range page.Reports {
		response.Reports[i] = newOperatorReport(r)
	}
	return response
}

func newOperatorReport(r report.Report) operatorReport {
	response := operatorReport{
		reportResponse: newReportResponse(r),
		OrganizationID: r.OrganizationID,
		Proposals:      make([]operatorProposal, len(r.Proposals)),
	}
	for i, p := range r.Proposals {
		response.Proposals[i] = operatorProposal{newProposalResponse(p), p.Content, known(p.ReviewID)}
	}
	return response
}

func newReviewsResponse(reviews []report.Review) reviewsResponse {
	response := reviewsResponse{Reviews: make([]reviewResponse, len(reviews))}
	for i, r := range reviews {
		response.Reviews[i] = reviewResponse{
			ID:              r.ID,
			ProposalID:      r.ProposalID,
			ReviewStatus:    r.Status,
			ReviewedBy:      known(r.ReviewedBy),
			Comment:         r.Comment,
			ReviewedAt:      knownTime(r.ReviewedAt),
			WithdrawnAt:     knownTime(r.WithdrawnAt),
			WithdrawnBy:     known(r.WithdrawnBy),
			WithdrawnReason: known(r.WithdrawnReason),
		}
	}
	return response
}
