package httpapi

import (
	"fmt"
	"net/http"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/report"
)

// listReports answers GET /organization/reports, with the filters as query parameters.
func (a *API) listReports(w *responseWriter, c call) error {
	f, err := queryOf(c)
	if err != nil {
		return err
	}
	request, err := f.listRequest(c.principal, f.limit(report.MaxLimit))
	if err != nil {
		return err
	}
	return a.writePage(w, c, request)
}

// maxDeprecatedLimit is the largest limit of the deprecated listing.
const maxDeprecatedLimit = 20

// listReportsOfSlug answers the specification's "Organization reports listing
// (deprecated)".
func (a *API) listReportsOfSlug(w *responseWriter, c call) error {
	body, err := decodeBody(c.body, "slug", "limit", "cursor", "status", "searchQuery", "reporterQuery",
		"excludeAutomation", "onlyRejected", "reviewStatuses", "reviewedByUserId", "startDate", "endDate", "brandIds")
	if err != nil {
		return err
	}
	f := fields{source: body}
	slug := f.nonEmpty("slug")
	f.require(slug != "", "slug")
	limit := f.limit(maxDeprecatedLimit)
	f.require(limit != 0, "limit")
	request, err := f.listRequest(c.principal, limit)
	if err != nil {
		return err
	}
	if !c.principal.SpeaksFor(slug) {
		return apiError{status: http.StatusForbidden}
	}
	return a.writePage(w, c, request)
}

func (a *API) writePage(w *responseWriter, c call, request report.ListRequest) error {
	page, err := a.service.ListReports(c.Context(), request)
	if err != nil {
		return err
	}
	return w.writeJSON(newReportsResponse(page))
}

// limit decodes the page size, 0 if it is absent.
func (f *fields) limit(maximum int64) int {
	return one(f, "limit", func(v value) (int, string) {
		limit, ok := v.wholeNumber()
		switch {
		case !ok:
			return 0, fmt.Sprintf("must be a whole number from 1 to %d", maximum)
		case limit < 1 || limit > maximum:
			return 0, fmt.Sprintf("must be from 1 to %d", maximum)
		default:
			return int(limit), ""
		}
	})
}

// cursor decodes the cursor of a page, 0 if it is absent.
func (f *fields) cursor() int64 {
	return one(f, "cursor", func(v value) (int64, string) {
		after, ok := v.wholeNumber()
		if !ok || after < 1 {
			return 0, "must be a whole number from 1"
		}
		return after, ""
	})
}

// listRequest decodes the fields that both listings have. The error has every issue of
// the request.
func (f *fields) listRequest(principal account.Principal, limit int) (report.ListRequest, error) {
	created, err := report.ParseCreated(f.nonEmpty("startDate"), f.nonEmpty("endDate"))
	request := report.ListRequest{
		Scope: report.InOrganization(principal.OrganizationID),
		Filter: report.Filter{
			Status:            report.Status(f.nonEmpty("status")),
			SearchQuery:       f.text("searchQuery"),
			ReporterQuery:     f.text("reporterQuery"),
			ExcludeAutomation: f.flag("excludeAutomation"),
			OnlyRejected:      f.flag("onlyRejected"),
			ReviewedBy:        f.id("reviewedByUserId"),
			Created:           created,
			BrandIDs:          f.ids("brandIds", report.MaxValues),
		},
		Cursor: f.cursor(),
		Limit:  limit,
	}
	for _, review := range f.nonEmptyList("reviewStatuses", report.MaxValues) {
		request.Filter.ReviewStatuses = append(request.Filter.ReviewStatuses, report.ReviewStatus(review))
	}
	return request, f.join(err, request.Validate())
}
