package request

import (
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/audit/trail"
)

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
