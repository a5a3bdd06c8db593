package httpapi

import (
	"context"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

// operatorReport is a report with the fields that only operators see.
type operatorReport struct {
	reportResponse
	Organization *namedOrganization `json:"organization"`
	Proposals    []operatorProposal `json:"proposals"`
}

// reviewedReport is a report with the assets that stay ALLOWED below one that a review blocks.
type reviewedReport struct {
	operatorReport
	exceptionsResponse
}

type operatorProposal struct {
	proposalResponse
	// Content is the text that was submitted.
	Content    string     `json:"content"`
	ReviewID   *int64     `json:"reviewId"`
	ReviewedBy *namedUser `json:"reviewedBy"`
}

type operatorReports struct {
	reportsResponse[operatorReport]
}

type reportBacklog struct {
	Todo       int     `json:"todo"`
	InProgress int     `json:"inProgress"`
	OldestAt   *string `json:"oldestAt"`
}

type reviewsResponse struct {
	Reviews []reviewResponse `json:"reviews"`
}

type reviewResponse struct {
	ID              int64               `json:"id"`
	ProposalID      int64               `json:"proposalId"`
	ReviewStatus    report.ReviewStatus `json:"reviewStatus"`
	ReviewedBy      *namedUser          `json:"reviewedBy"`
	Comment         string              `json:"comment"`
	ReviewedAt      *string             `json:"reviewedAt"`
	WithdrawnAt     *string             `json:"withdrawnAt"`
	WithdrawnBy     *namedUser          `json:"withdrawnBy"`
	WithdrawnReason *string             `json:"withdrawnReason"`
}

// report returns a report of any organization.
func (o operator) report(ctx context.Context, id int64) (report.Report, error) {
	return o.guard.Reports.Get(ctx, report.AnyOrganization(), id)
}

func newReportBacklog(b report.Backlog) reportBacklog {
	return reportBacklog{Todo: b.Todo, InProgress: b.InProgress, OldestAt: knownTime(b.OldestAt)}
}

// reviews returns all reviews of a proposal, including withdrawn ones.
func (o operator) reviews(ctx context.Context, proposalID int64) ([]report.Review, error) {
	return o.guard.Reviews.List(ctx, report.AnyOrganization(), proposalID)
}

// review adds a review. If that blocks an asset, the response has the exceptions. The review is
// stored before they are looked up, so an error only leaves them out, and is logged.
func (o operator) review(w *responseWriter, c call) error {
	req, err := c.request().ReviewProposal()
	if err != nil {
		return err
	}
	updated, err := o.guard.Reviews.Review(c.Context(), req)
	if err != nil {
		return err
	}
	var exceptions apguard.Exceptions
	for _, p := range updated.Proposals {
		if p.ID == req.ProposalID && req.Status == report.ReviewApprove && p.ProposedStatus == asset.StatusBlocked {
			if exceptions, err = o.guard.Exceptions(c.Context(), p.Asset.Identity); err != nil {
				exceptions.More = true
				w.recordError(err)
			}
		}
	}
	announceReplay(w.Header(), updated.Replayed)
	response := reviewedReport{newOperatorReport(updated.Report), newExceptionsResponse(exceptions)}
	o.setNames(w, c, response)
	return w.writeJSON(response)
}

func newOperatorReport(r report.Report) operatorReport {
	return operatorReport{
		reportResponse: newReportResponse(r),
		Organization:   newNamedOrganization(r.OrganizationID),
		Proposals:      mapped(r.Proposals, newOperatorProposal),
	}
}

func newOperatorReports(page report.Page) operatorReports {
	return operatorReports{reportsOf(newOperatorReport)(page)}
}

func (r operatorReports) addTo(n *names) {
	for _, report := range r.Reports {
		report.addTo(n)
	}
}

func (r operatorReport) addTo(n *names) {
	n.addOrganizations(r.Organization)
	for _, proposal := range r.Proposals {
		n.addUsers(proposal.ReviewedBy)
	}
}

func updatedReport(u report.Updated) (operatorReport, bool) {
	return newOperatorReport(u.Report), u.Replayed
}

func newOperatorProposal(p report.Proposal) operatorProposal {
	return operatorProposal{newProposalResponse(p), p.Content, known(p.ReviewID), newNamedUser(p.ReviewedBy)}
}

func newReviewsResponse(reviews []report.Review) reviewsResponse {
	return reviewsResponse{Reviews: mapped(reviews, newReviewResponse)}
}

func (r reviewsResponse) addTo(n *names) {
	for _, review := range r.Reviews {
		n.addUsers(review.ReviewedBy, review.WithdrawnBy)
	}
}

func newReviewResponse(r report.Review) reviewResponse {
	return reviewResponse{
		ID:              r.ID,
		ProposalID:      r.ProposalID,
		ReviewStatus:    r.Status,
		ReviewedBy:      newNamedUser(r.ReviewedBy),
		Comment:         r.Comment,
		ReviewedAt:      knownTime(r.ReviewedAt),
		WithdrawnAt:     knownTime(r.WithdrawnAt),
		WithdrawnBy:     newNamedUser(r.WithdrawnBy),
		WithdrawnReason: known(r.WithdrawnReason),
	}
}
