package request

import (
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
)

// ListAllowlist decodes GET /organization/assets.
func (c Call) ListAllowlist() (allowlist.ListRequest, error) {
	f := c.query("limit", "cursor", "status", "groupId", "prefix")
	request := allowlist.ListRequest{
		OrganizationID: c.Caller.OrganizationID,
		Filter: allowlist.Filter{
			Status:  asset.Status(f.nonEmpty("status")),
			GroupID: f.id("groupId"),
			Prefix:  f.text("prefix"),
		},
		Cursor: f.cursor(),
		Limit:  f.limit(allowlist.MaxLimit),
	}
	return request, f.join(request.Validate())
}
