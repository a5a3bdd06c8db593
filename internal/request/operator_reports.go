package request

import "github.com/apguard/apguard/report"

// ListAllReports decodes GET /report/list for operators.
func (c Call) ListAllReports() (report.ListRequest, error) {
	f := c.query(append([]string{"organizationId", "content", "oldestFirst"}, listingFields()...)...)
	identity, oldestFirst := f.identity(), f.flag("oldestFirst")
	request, err := f.listRequest(f.reportScope(), f.limit(report.MaxLimit))
	request.Filter.Identity, request.OldestFirst = identity, oldestFirst
	return request, err
}

// ReportBacklog decodes GET /report/backlog for operators.
func (c Call) ReportBacklog() (report.Scope, error) {
	f := c.query("organizationId")
	return f.reportScope(), f.join()
}

// reportScope decodes an organization, or all if it is absent.
func (f *fields) reportScope() report.Scope {
	if id := f.id("organizationId"); id != 0 {
		return report.InOrganization(id)
	}
	return report.AnyOrganization()
}

// GetReport decodes GET /report/get for operators.
func (c Call) GetReport() (id int64, err error) { return c.queryID("id") }

// ListReviews decodes GET /report/reviews for operators.
func (c Call) ListReviews() (proposalID int64, err error) { return c.queryID("proposalId") }

// ReviewProposal decodes POST /report/review for operators.
func (c Call) ReviewProposal() (report.ReviewRequest, error) {
	f := c.body("proposalId", "reviewStatus", "comment", "confirmProtected", "ifReview")
	key, invalidKey := c.idempotencyKey()
	request := report.ReviewRequest{
		Scope:      report.AnyOrganization(),
		ProposalID: f.requiredID("proposalId"),
		Status:     report.ReviewStatus(f.nonEmpty("reviewStatus")),
		Actor:      c.Caller.UserID,
		Comment:    f.text("comment"),

		ConfirmProtected: f.flag("confirmProtected"),
		IfReview:         f.nullableID("ifReview"),
		Idempotency:      key,
	}
	return request, f.join(invalidKey, request.Validate())
}

// WithdrawReview decodes POST /report/withdraw for operators.
func (c Call) WithdrawReview() (report.WithdrawRequest, error) {
	f := c.body("reviewId", "reason", "ifReview")
	key, invalidKey := c.idempotencyKey()
	request := report.WithdrawRequest{
		Scope:    report.AnyOrganization(),
		ReviewID: f.requiredID("reviewId"),
		Actor:    c.Caller.UserID,
		Reason:   f.text("reason"),

		Idempotency: key,
	}
	// A caller who does not say otherwise withdraws the review in effect.
	request.IfReview = &request.ReviewID
	if f.given("ifReview") {
		request.IfReview = f.nullableID("ifReview")
	}
	return request, f.join(invalidKey, request.Validate())
}

// EscalateReport decodes POST /report/escalate for operators.
func (c Call) EscalateReport() (report.EscalateRequest, error) {
	f := c.body("id", "comment")
	key, invalidKey := c.idempotencyKey()
	request := report.EscalateRequest{
		Scope:    report.AnyOrganization(),
		ReportID: f.requiredID("id"),
		Actor:    c.Caller.UserID,
		Comment:  f.text("comment"),

		Idempotency: key,
	}
	return request, f.join(invalidKey, request.Validate())
}
