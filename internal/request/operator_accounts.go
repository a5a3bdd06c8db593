package request

import (
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/audit/trail"
)

// GetOrganization decodes GET /organization/get for operators.
func (c Call) GetOrganization() (id int64, err error) { return c.queryID("id") }

// SearchAccounts decodes GET /organization/list and /user/list for operators.
func (c Call) SearchAccounts() (account.SearchRequest, error) {
	f := c.query("searchQuery", "cursor", "limit")
	request := account.SearchRequest{
		Query: f.text("searchQuery"), After: f.cursor(), Limit: f.limit(account.MaxLimit),
	}
	return request, f.join(request.Validate())
}

// CreateOrganization decodes POST /organization/create for operators.
func (c Call) CreateOrganization() (account.OrganizationRequest, error) {
	f := c.unrepeatable("organizations", "slug", "name")
	created := account.OrganizationRequest{Slug: f.text("slug"), Name: f.text("name")}
	return created, f.join(created.Validate())
}

// RenameOrganization decodes POST /organization/rename for operators.
func (c Call) RenameOrganization() (account.OrganizationRenameRequest, error) {
	f := c.unrepeatable("organizations", "id", "slug", "name")
	renamed := account.OrganizationRenameRequest{ID: f.requiredID("id"), Slug: f.text("slug"), Name: f.text("name")}
	return renamed, f.join(renamed.Validate())
}

// ChangeOrganization decodes POST /organization/deactivate, /organization/reactivate and
// /organization/remove for operators.
func (c Call) ChangeOrganization() (id int64, err error) { return c.unrepeatableID("organizations") }

// unrepeatableID returns a required ID in the body of an operation that takes no idempotency key.
func (c Call) unrepeatableID(records string) (id int64, err error) {
	f := c.unrepeatable(records, "id")
	id = f.requiredID("id")
	return id, f.join()
}

// ListGroups decodes GET /group/list for operators.
func (c Call) ListGroups() (organizationID int64, err error) { return c.queryID("organizationId") }

// CreateGroup decodes POST /group/create for operators.
func (c Call) CreateGroup() (account.GroupRequest, error) {
	f := c.unrepeatable("groups", "organizationId", "name")
	created := account.GroupRequest{OrganizationID: f.requiredID("organizationId"), Name: f.text("name")}
	return created, f.join(created.Validate())
}

// RenameGroup decodes POST /group/rename for operators.
func (c Call) RenameGroup() (account.GroupRenameRequest, error) {
	f := c.unrepeatable("groups", "id", "organizationId", "name")
	renamed := account.GroupRenameRequest{ID: f.requiredID("id"), OrganizationID: f.requiredID("organizationId"), Name: f.text("name")}
	return renamed, f.join(renamed.Validate())
}

// GroupRemoval names a group and its organization.
type GroupRemoval struct {
	ID, OrganizationID int64
}

// RemoveGroup decodes POST /group/remove for operators.
func (c Call) RemoveGroup() (GroupRemoval, error) {
	f := c.unrepeatable("groups", "id", "organizationId")
	return GroupRemoval{f.requiredID("id"), f.requiredID("organizationId")}, f.join()
}

// GetUser decodes GET /user/get for operators.
func (c Call) GetUser() (id int64, err error) { return c.queryID("id") }

// CreateUser decodes POST /user/create for operators.
func (c Call) CreateUser() (account.UserRequest, error) {
	f := c.unrepeatable("users", "fullName", "email", "automation")
	created := account.UserRequest{FullName: f.text("fullName"), Email: f.text("email"), Automation: f.flag("automation")}
	return created, f.join(created.Validate())
}

// RenameUser decodes POST /user/rename for operators.
func (c Call) RenameUser() (account.UserRenameRequest, error) {
	f := c.unrepeatable("users", "id", "fullName", "email")
	renamed := account.UserRenameRequest{ID: f.requiredID("id"), FullName: f.text("fullName"), Email: f.text("email")}
	return renamed, f.join(renamed.Validate())
}

// ChangeUser decodes POST /user/deactivate, /user/reactivate and /user/remove for operators.
func (c Call) ChangeUser() (id int64, err error) { return c.unrepeatableID("users") }

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
