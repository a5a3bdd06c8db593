package request

import (
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
)

// MaxSlugLimit is the largest limit of the deprecated listing of reports.
const MaxSlugLimit = 20

// ListReports decodes GET /organization/reports.
func (c Call) ListReports() (report.ListRequest, error) {
	f := c.query(listingFields()...)
	return f.listRequest(report.InOrganization(c.Caller.OrganizationID), f.limit(report.MaxLimit))
}

// ListReportsOfSlug decodes the specification's "Organization reports listing (deprecated)". It
// does not check that the caller belongs to the organization with the slug.
func (c Call) ListReportsOfSlug() (slug string, request report.ListRequest, err error) {
	f := c.reading(c.specified(append([]string{"slug"}, listingFields()...)...))
	slug = f.nonEmpty("slug")
	f.require(slug != "", "slug")
	limit := f.limit(MaxSlugLimit)
	f.require(limit != 0, "limit")
	request, err = f.listRequest(report.InOrganization(c.Caller.OrganizationID), limit)
	return slug, request, err
}

// FileReport decodes POST /report/create.
func (c Call) FileReport() (report.FileRequest, error) {
	f := c.body("title", "description", "proposals")
	key, invalidKey := c.idempotencyKey()
	request := report.FileRequest{
		OrganizationID: c.Caller.OrganizationID,
		Title:          f.text("title"),
		Description:    f.text("description"),
		ReporterID:     c.Caller.UserID,
		Idempotency:    key,
	}
	// One more than the maximum is enough for the service to refuse them.
	request.Proposals, _ = objects(&f, "proposals", report.MaxProposals+1, nameRule{fields: []string{"content", "proposedStatus"}}, proposal)
	return request, f.join(invalidKey, request.Validate())
}

// proposal decodes one proposal of a report.
func proposal(f *fields) report.ProposalRequest {
	return report.ProposalRequest{Content: f.text("content"), ProposedStatus: asset.Status(f.nonEmpty("proposedStatus"))}
}

// listingFields returns the fields that all listings have.
func listingFields() []string {
	return []string{
		"limit", "cursor", "status", "searchQuery", "reporterQuery", "excludeAutomation", "onlyRejected",
		"reviewStatuses", "reviewedByUserId", "startDate", "endDate", "brandIds",
	}
}

// listRequest decodes the fields that all listings have. The error has every issue of
// the request.
func (f *fields) listRequest(scope report.Scope, limit int) (report.ListRequest, error) {
	created, err := report.ParseCreated(f.nonEmpty("startDate"), f.nonEmpty("endDate"))
	request := report.ListRequest{
		Scope: scope,
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
