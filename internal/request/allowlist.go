package request

import (
	"time"

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

// ListAllowlistOf decodes GET /allowlist/list for operators.
func (c Call) ListAllowlistOf() (allowlist.ListRequest, error) {
	f := c.query(append(entryFilters(), "limit")...)
	request := allowlist.ListRequest{
		OrganizationID: f.requiredID("organizationId"),
		Filter:         f.entryFilter(),
		Cursor:         f.cursor(),
		Limit:          f.limit(allowlist.MaxLimit),
	}
	return request, f.join(request.Validate())
}

// ClearAllowlist decodes POST /allowlist/clear for operators.
func (c Call) ClearAllowlist() (allowlist.ClearRequest, error) {
	f := c.unrepeatable("allowlists", append(entryFilters(), "dryRun")...)
	request := allowlist.ClearRequest{
		OrganizationID: f.requiredID("organizationId"),
		Filter:         f.entryFilter(),
		Cursor:         f.cursor(),
		DryRun:         f.flag("dryRun"),
	}
	return request, f.join(request.Validate())
}

// entryFilters are the fields that select entries for operators.
func entryFilters() []string {
	return []string{"organizationId", "status", "prefix", "addedSince", "addedBefore", "cursor"}
}

func (f *fields) entryFilter() allowlist.Filter {
	return allowlist.Filter{
		Status:      asset.Status(f.nonEmpty("status")),
		Prefix:      f.text("prefix"),
		AddedSince:  one(f, "addedSince", asTime),
		AddedBefore: one(f, "addedBefore", asTime),
	}
}

// RemoveFromAllowlist decodes POST /organization/assets/remove. Too many assets are refused
// whatever they contain.
func (c Call) RemoveFromAllowlist() (allowlist.RemoveRequest, error) {
	f := c.bodyOfContents("ids", "contents")
	for _, name := range []string{"ids", "contents"} {
		if f.more(name, allowlist.MaxItems) {
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

// AddToAllowlist decodes the specification's "Organization asset batch add". The request says
// whether it is a dry run even if there is an error.
func (c Call) AddToAllowlist() (allowlist.AddRequest, error) {
	rule := nameRule{fields: []string{"assets", "dryRun"}, open: true, contents: []string{"assets", anyElement, "content"}}
	body, issues, err := decodeBody(c.Body, rule)
	if err != nil {
		return allowlist.AddRequest{}, err
	}
	f := fields{source: body, issues: issues}
	key, invalidKey := c.idempotencyKey()
	request := allowlist.AddRequest{
		OrganizationID: c.Caller.OrganizationID,
		Actor:          c.Caller.UserID,
		Idempotency:    key,
		DryRun:         f.flag("dryRun"),
	}
	var more bool
	if request.Items, more = objects(&f, "assets", allowlist.MaxItems, itemFields(), addItem); more {
		return request, allowlist.ErrTooMany
	}
	return request, f.join(invalidKey, request.Validate())
}

// itemFields are the fields of an asset to add.
func itemFields() nameRule {
	return nameRule{fields: []string{"content", "name", "description", "groupId", "expiresAt", "refuseBlocked"}, open: true}
}

// addItem decodes one asset. An invalid content, groupId or expiresAt fails in the result of the
// asset. Only a content or an expiresAt that is not a string makes the request invalid.
func addItem(f *fields) allowlist.Item {
	return allowlist.Item{
		Content:       one(f, "content", asString),
		Name:          f.text("name"),
		Description:   f.text("description"),
		GroupID:       one(f, "groupId", asGroupID),
		ExpiresAt:     one(f, "expiresAt", asExpiry),
		RefuseBlocked: f.flag("refuseBlocked"),
	}
}

// invalidGroupID stands for any value that is not a group ID. 0 would mean no group.
const invalidGroupID = -1

// asGroupID accepts any value, because an invalid group ID refuses only the asset.
func asGroupID(v value) (int64, string) {
	if id, ok := v.wholeNumber(); ok && asset.ValidID(id) {
		return id, ""
	}
	return invalidGroupID, ""
}

// asExpiry accepts any string, because an invalid time refuses only the asset. A time that is
// always past stands for any text that is not a time. The zero time would mean no end.
func asExpiry(v value) (time.Time, string) {
	text, issue := asString(v)
	if issue != "" {
		return time.Time{}, issue
	}
	if expiry, ok := asset.ParseTime(text); ok && !expiry.IsZero() {
		return expiry, ""
	}
	return time.Time{}.Add(time.Nanosecond), ""
}
