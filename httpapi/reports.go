package httpapi

import "net/http"

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
	page, err := p.guard.Reports.List(c.Context(), req)
	if err != nil {
		return err
	}
	return w.writeJSON(reportsOf(newReportResponse)(page))
}
