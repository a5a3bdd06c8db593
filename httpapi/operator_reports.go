package httpapi

import "github.com/apguard/apguard/report"

// listReports answers a page of the reports of all organizations, or of one.
func (o operator) listReports(w *responseWriter, c call) error {
	req, err := c.request().ListAllReports()
	if err != nil {
		return err
	}
	page, err := o.guard.Reports.List(c.Context(), req)
	if err != nil {
		return err
	}
	return w.writeJSON(newOperatorReportsResponse(page))
}

// getReport answers one report.
func (o operator) getReport(w *responseWriter, c call) error {
	id, err := c.request().GetReport()
	if err != nil {
		return err
	}
	found, err := o.guard.Reports.Get(c.Context(), report.AnyOrganization(), id)
	return writeReport(w, found, err)
}

// listReviews answers all reviews of a proposal, including withdrawn ones.
func (o operator) listReviews(w *responseWriter, c call) error {
	id, err := c.request().ListReviews()
	if err != nil {
		return err
	}
	reviews, err := o.guard.Reviews.List(c.Context(), report.AnyOrganization(), id)
	if err != nil {
		return err
	}
	return w.writeJSON(newReviewsResponse(reviews))
}

// reviewProposal adds a review to a proposal.
func (o operator) reviewProposal(w *responseWriter, c call) error {
	req, err := c.request().ReviewProposal()
	if err != nil {
		return err
	}
	updated, err := o.guard.Reviews.Review(c.Context(), req)
	return writeReport(w, updated, err)
}

// withdrawReview withdraws a review.
func (o operator) withdrawReview(w *responseWriter, c call) error {
	req, err := c.request().WithdrawReview()
	if err != nil {
		return err
	}
	updated, err := o.guard.Reviews.Withdraw(c.Context(), req)
	return writeReport(w, updated, err)
}

// escalateReport escalates the undecided proposals of a report.
func (o operator) escalateReport(w *responseWriter, c call) error {
	req, err := c.request().EscalateReport()
	if err != nil {
		return err
	}
	updated, err := o.guard.Reviews.Escalate(c.Context(), req)
	return writeReport(w, updated, err)
}

// writeReport answers with a report, or returns the error.
func writeReport(w *responseWriter, r report.Report, err error) error {
	if err != nil {
		return err
	}
	return w.writeJSON(newOperatorReport(r))
}
