package httpapi

import (
	"fmt"
	"net/http"
	"net/url"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/report"
)

// listReports answers GET /organization/reports, the successor of the listing
// below. It takes the same filters as query parameters, and the organization from
// the key.
func (a *API) listReports(w *responseWriter, c call) error {
	parameters, err := url.ParseQuery(c.URL.RawQuery)
	if err != nil {
		return inputError("", "the query must be parameters in URL encoding")
	}
	f := fields{source: query(parameters)}
	limit, given := f.limit(report.MaxLimit)
	if !given {
		limit = report.DefaultLimit
	}
	request, err := f.listRequest(c.principal, limit)
	if err != nil {
		return err
	}
	return a.writePage(w, c, request)
}

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
	limit, given := f.limit(report.MaxDeprecatedLimit)
	f.require(given, "limit")
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

// limit reads the size of a page, and reports whether it is there and right.
func (f *fields) limit(largest int64) (int, bool) {
	return one(f, "limit", func(v value) (int, string) {
		limit, whole := v.wholeNumber()
		switch {
		case !whole:
			return 0, fmt.Sprintf("must be a whole number from 1 to %d", largest)
		case limit < 1 || limit > largest:
			return 0, fmt.Sprintf("must be from 1 to %d", largest)
		default:
			return int(limit), ""
		}
	})
}

// cursor reads where a page begins, 0 when nothing is said.
func (f *fields) cursor() int64 {
	cursor, _ := one(f, "cursor", func(v value) (int64, string) {
		after, whole := v.wholeNumber()
		if !whole || after < 1 {
			return 0, "must be a whole number from 1"
		}
		return after, ""
	})
	return cursor
}

// listRequest reads what both listings have in common. The error is all that is
// wrong with the request.
func (f *fields) listRequest(principal account.Principal, limit int) (report.ListRequest, error) {
	created, err := report.ParseCreated(f.nonEmpty("startDate"), f.nonEmpty("endDate"))
	request := report.ListRequest{
		OrganizationID: principal.OrganizationID,
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
