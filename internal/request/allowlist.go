package request

import (
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

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
	if err := decodeItems(&f, body.value("assets"), &request); err != nil {
		return request, err
	}
	return request, f.join(invalidKey, request.Validate())
}

// decodeItems decodes the assets into the items of the request. It stops after the
// maximum number, so that too many assets are refused whatever they contain.
func decodeItems(f *fields, list jsontext.Value, request *allowlist.AddRequest) error {
	switch list.Kind() {
	case jsontext.KindBeginArray:
	case jsontext.KindInvalid, jsontext.KindNull:
		f.require(false, "assets")
		return nil
	default:
		f.add("assets", "must be an array")
		return nil
	}
	decoder := uncheckedDecoder(list)
	rule := nameRule{fields: []string{"content", "name", "description", "groupId", "expiresAt", "refuseBlocked"}, open: true}
	var members object
	_, _ = decoder.ReadToken()
	for n := 0; decoder.PeekKind() != jsontext.KindEndArray; n++ {
		if n == allowlist.MaxItems {
			return allowlist.ErrTooMany
		}
		name, item := "assets["+strconv.Itoa(n)+"]", allowlist.Item{}
		if decoder.PeekKind() == jsontext.KindBeginObject {
			before := len(f.issues)
			members, _ = readObject(decoder, list, members[:0], rule, &f.issues)
			item = decodeItem(f, members)
			for i := range f.issues[before:] {
				f.issues[before+i].Field = name + "." + f.issues[before+i].Field
			}
		} else {
			_ = decoder.SkipValue()
			f.add(name, "must be an object")
		}
		request.Items = append(request.Items, item)
	}
	return nil
}

// decodeItem decodes one asset and adds its issues, without the path, to those of the request.
func decodeItem(request *fields, members object) allowlist.Item {
	f := fields{source: members, issues: request.issues}
	// An invalid content, groupId or expiresAt fails in the result of the asset. Only a
	// content or an expiresAt that is not a string makes the request invalid.
	item := allowlist.Item{
		Content:       one(&f, "content", asString),
		Name:          f.text("name"),
		Description:   f.text("description"),
		GroupID:       one(&f, "groupId", asGroupID),
		ExpiresAt:     one(&f, "expiresAt", asExpiry),
		RefuseBlocked: f.flag("refuseBlocked"),
	}
	request.issues = f.issues
	return item
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
