package request

import "github.com/apguard/apguard/allowlist"

// RemoveFromAllowlist decodes POST /organization/assets/remove. Too many assets are refused
// whatever they contain.
func (c Call) RemoveFromAllowlist() (allowlist.RemoveRequest, error) {
	f := c.bodyOfContents("ids", "contents")
	for _, name := range []string{"ids", "contents"} {
		if values, err := f.source.many(name); err == nil && more(values, allowlist.MaxItems) {
			return allowlist.RemoveRequest{}, allowlist.ErrTooMany
		}
	}
	key, invalidKey := c.idempotencyKey()
	request := allowlist.RemoveRequest{
		OrganizationID: c.Caller.OrganizationID,
		Actor:          c.Caller.UserID,
		AssetIDs:       f.ids("ids", allowlist.MaxItems),
		Contents:       many(&f, "contents", allowlist.MaxItems, asString),
		Idempotency:    key,
	}
	switch ids, contents := f.given("ids"), f.given("contents"); {
	case ids && contents:
		f.add("contents", "must not be given with ids")
	case contents && request.Contents == nil:
		request.Contents = []string{}
	case !ids && !contents:
		f.add("ids", "is required unless contents is given")
	}
	if err := f.join(invalidKey); err != nil {
		return allowlist.RemoveRequest{}, err
	}
	return request, request.Validate()
}
