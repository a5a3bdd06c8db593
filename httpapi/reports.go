package httpapi

import (
	"net/http"

	"github.com/apguard/apguard/report"
)

// listReports answers GET /organization/reports, with the filters as query parameters.
func (p public) listReports(w *responseWriter, c call) error {
	req, err := c.request().ListReports()
	if err != nil {
		return err
	}
	return p.writePage(w, c, req)
}

// listReportsOfSlug answers the specification's "Organization reports listing
// (deprecated)".
func (p public) listReportsOfSlug(w *responseWriter, c call) error {
	slug, req, err := c.request().ListReportsOfSlug()
	if err != nil {
		return err
	}
	if !c.principal.SpeaksFor(slug) {
		return apiError{status: http.StatusForbidden}
	}
	return p.writePage(w, c, req)
}

func (p public) writePage(w *responseWriter, c call, req report.ListRequest) error {
	page, err := p.guard.Reports.List(c.Context(), req)
	if err != nil {
		return err
	}
	return w.writeJSON(newReportsResponse(page))
}
