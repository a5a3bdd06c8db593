package request

import (
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

// SetAssetStatus decodes POST /asset/setStatus for operators.
func (c Call) SetAssetStatus() (asset.SetStatusRequest, error) {
	f := c.body("content", "status", "reason", "note", "reference", "confirmSuffix", "ifStatus")
	key, invalidKey := c.idempotencyKey()
	request := asset.SetStatusRequest{
		Identity: f.identity(),
		Status:   asset.Status(f.nonEmpty("status")),
		Reason:   asset.Reason(f.nonEmpty("reason")),
		Note:     f.text("note"),
		Origin:   asset.Origin{Cause: asset.CauseManual, Actor: c.Caller.UserID, Reference: f.text("reference")},

		ConfirmSuffix: f.flag("confirmSuffix"),
		IfStatus:      asset.Status(f.nonEmpty("ifStatus")),
		Idempotency:   key,
	}
	f.require(request.Identity != asset.Identity{}, "content")
	f.require(request.Status != "", "status")
	return request, f.join(invalidKey, request.Validate())
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
