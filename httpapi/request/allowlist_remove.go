package request

import "github.com/apguard/apguard/allowlist"

// RemoveFromAllowlist decodes POST /organization/assets/remove. Too many IDs are refused
// whatever they contain.
func (c Call) RemoveFromAllowlist() (allowlist.RemoveRequest, error) {
	f := c.body("ids")
	if ids, err := f.source.many("ids"); err == nil && more(ids, allowlist.MaxItems) {
		return allowlist.RemoveRequest{}, allowlist.ErrTooMany
	}
	request := allowlist.RemoveRequest{
		OrganizationID: c.Caller.OrganizationID,
		Actor:          c.Caller.UserID,
		AssetIDs:       f.ids("ids", allowlist.MaxItems),
	}
	f.requireList("ids")
	if err := f.join(); err != nil {
		return allowlist.RemoveRequest{}, err
	}
	return request, request.Validate()
}
