package request

import (
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// ExplainAsset decodes GET /asset/explain for operators.
func (c Call) ExplainAsset() (content string, err error) {
	f := c.query("content")
	content = f.text("content")
	f.require(content != "", "content")
	return content, f.join()
}

// ListAssetChanges decodes GET /asset/history for operators.
func (c Call) ListAssetChanges() (asset.ListChangesRequest, error) {
	f := c.query("content", "cursor", "limit")
	after := f.timeCursor()
	request := asset.ListChangesRequest{
		Filter: asset.ChangeFilter{Identity: f.identity()},
		Cursor: asset.ChangeCursor(after),
		Limit:  f.limit(asset.MaxLimit),
	}
	f.require(request.Filter.Identity != asset.Identity{}, "content")
	return request, f.join()
}

// Under names an asset, and a page of the changes at and below it.
type Under struct {
	Identity asset.Identity
	Cursor   asset.ChangeCursor
	Limit    int
}

// ListChangesUnder decodes GET /asset/changes for operators.
func (c Call) ListChangesUnder() (Under, error) {
	f := c.query("under", "cursor", "limit")
	under := Under{
		Identity: one(&f, "under", asIdentity),
		Cursor:   asset.ChangeCursor(f.timeCursor()),
		Limit:    f.limit(asset.MaxLimit),
	}
	f.require(under.Identity != asset.Identity{}, "under")
	return under, f.join()
}

// ListDecisions decodes GET /decision/list for operators.
func (c Call) ListDecisions() (asset.ListChangesRequest, error) {
	f := c.query("userId", "cursor", "limit")
	return asset.ListChangesRequest{
		Actor:  f.requiredID("userId"),
		Cursor: asset.ChangeCursor(f.timeCursor()),
		Limit:  f.limit(asset.MaxLimit),
	}, f.join()
}

// SetAssetStatus decodes POST /asset/setStatus for operators.
func (c Call) SetAssetStatus() (asset.SetStatusRequest, error) {
	f := c.body("content", "status", "reason", "note", "reference", "expiresAt", "reviewAt", "confirmSuffix", "ifStatus")
	key, invalidKey := c.idempotencyKey()
	request := asset.SetStatusRequest{
		Identity: f.identity(),
		Status:   asset.Status(f.nonEmpty("status")),
		Reason:   asset.Reason(f.nonEmpty("reason")),
		Note:     f.text("note"),

		ExpiresAt: one(&f, "expiresAt", asMoment),
		ReviewAt:  one(&f, "reviewAt", asMoment),

		Origin: asset.Origin{Cause: asset.CauseManual, Actor: c.Caller.UserID, Reference: f.text("reference")},

		ConfirmSuffix: f.flag("confirmSuffix"),
		IfStatus:      asset.Status(f.nonEmpty("ifStatus")),
		Idempotency:   key,
	}
	f.require(request.Identity != asset.Identity{}, "content")
	f.require(request.Status != "", "status")
	return request, f.join(invalidKey, request.Validate())
}

// ListDueAssets decodes GET /asset/due for operators.
func (c Call) ListDueAssets() (asset.DueRequest, error) {
	f := c.query("before", "cursor", "limit")
	request := asset.DueRequest{
		Before: one(&f, "before", asMoment),
		Cursor: asset.DueCursor(f.timeCursor()),
		Limit:  f.limit(asset.MaxLimit),
	}
	return request, f.join(request.Validate())
}

// asMoment converts a time of RFC 3339. The zero time would mean none.
func asMoment(v value) (time.Time, string) {
	text, issue := asString(v)
	if issue != "" {
		return time.Time{}, issue
	}
	if at, ok := asset.ParseTime(text); ok && !at.IsZero() {
		return at, ""
	}
	return time.Time{}, "must be a time of RFC 3339, such as 2030-12-31T00:00:00Z"
}

// WithdrawAssetDecision decodes POST /asset/withdraw for operators.
func (c Call) WithdrawAssetDecision() (asset.WithdrawRequest, error) {
	f := c.body("content", "reference", "ifStatus")
	key, invalidKey := c.idempotencyKey()
	request := asset.WithdrawRequest{
		Identity:    f.identity(),
		Origin:      asset.Origin{Actor: c.Caller.UserID, Reference: f.text("reference")},
		IfStatus:    asset.Status(f.nonEmpty("ifStatus")),
		Idempotency: key,
	}
	f.require(request.Identity != asset.Identity{}, "content")
	return request, f.join(invalidKey, request.Validate())
}

// identity decodes the content of an asset in any spelling.
func (f *fields) identity() asset.Identity {
	return one(f, "content", asIdentity)
}

func asIdentity(v value) (asset.Identity, string) {
	text, issue := asNonEmpty(v)
	if issue != "" {
		return asset.Identity{}, issue
	}
	result, err := classify.Classify(text)
	if err != nil {
		return asset.Identity{}, err.Error()
	}
	return result.Identity, ""
}
