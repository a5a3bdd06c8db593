package request

import (
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/audit/trail"
)

// GetOrganization decodes GET /organization/get for operators.
func (c Call) GetOrganization() (id int64, err error) { return c.queryID("id") }

// ListAccounts decodes GET /organization/list and /user/list for operators.
func (c Call) ListAccounts() (account.ListRequest, error) {
	f := c.query("cursor", "limit")
	return account.ListRequest{After: f.cursor(), Limit: f.limit(account.MaxLimit)}, f.join()
}

// CreateOrganization decodes POST /organization/create for operators.
func (c Call) CreateOrganization() (account.OrganizationRequest, error) {
	f := c.unrepeatable("organizations", "slug", "name")
	created := account.OrganizationRequest{Slug: f.text("slug"), Name: f.text("name")}
	return created, f.join(created.Validate())
}

// GetUser decodes GET /user/get for operators.
func (c Call) GetUser() (id int64, err error) { return c.queryID("id") }

// CreateUser decodes POST /user/create for operators.
func (c Call) CreateUser() (account.UserRequest, error) {
	f := c.unrepeatable("users", "fullName", "email", "automation")
	created := account.UserRequest{FullName: f.text("fullName"), Email: f.text("email"), Automation: f.flag("automation")}
	return created, f.join(created.Validate())
}

// GetCaller decodes GET /caller/get.
func (c Call) GetCaller() (account.Principal, error) {
	f := c.query()
	return c.Caller, f.join()
}

// ListAudit decodes GET /audit/list for operators.
func (c Call) ListAudit() (trail.ListRequest, error) {
	f := c.query("kind", "userId", "cursor", "limit")
	request := trail.ListRequest{
		Filter: trail.Filter{Kind: audit.Kind(f.nonEmpty("kind")), UserID: f.id("userId")},
		Before: f.cursor(),
		Limit:  f.limit(trail.MaxLimit),
	}
	return request, f.join(request.Validate())
}
