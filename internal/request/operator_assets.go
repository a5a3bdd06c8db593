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
	f := c.body("content", "status", "reason", "note", "reference", "expiresAt", "reviewAt", "confirmProtected", "ifStatus")
	key, invalidKey := c.idempotencyKey()
	request := asset.SetStatusRequest{
		Identity: f.identity(),
		Status:   asset.Status(f.nonEmpty("status")),
		Reason:   asset.Reason(f.nonEmpty("reason")),
		Note:     f.text("note"),

		ExpiresAt: one(&f, "expiresAt", asMoment),
		ReviewAt:  one(&f, "reviewAt", asMoment),

		Origin: asset.Origin{Cause: asset.CauseManual, Actor: c.Caller.UserID, Reference: f.text("reference")},

		ConfirmProtected: f.flag("confirmProtected"),
		IfStatus:         asset.Status(f.nonEmpty("ifStatus")),
		Idempotency:      key,
	}
	f.require(request.Identity != asset.Identity{}, "content")
	f.require(request.Status != "", "status")
	return request, f.join(invalidKey, request.Validate())
}

// SetAssetStatuses decodes POST /asset/setStatuses for operators. It also returns the contents of the items. A content
// that is not recognized refuses only its item.
func (c Call) SetAssetStatuses() (req asset.SetStatusesRequest, contents []string, err error) {
	f := c.bodyWith(nameRule{
		fields:   []string{"items", "reason", "note", "reference", "confirmProtected", "dryRun"},
		contents: []string{"items", anyElement, "content"},
	})
	f.refuseKey(c, "must not be given for an operation on several assets")
	req = asset.SetStatusesRequest{
		Reason: asset.Reason(f.nonEmpty("reason")),
		Note:   f.text("note"),
		Origin: asset.Origin{Cause: asset.CauseManual, Actor: c.Caller.UserID, Reference: f.text("reference")},

		ConfirmProtected: f.flag("confirmProtected"),
		DryRun:           f.flag("dryRun"),
	}
	rule := nameRule{fields: []string{"content", "status", "expiresAt"}}
	// One more than the maximum is enough for the service to refuse them.
	req.Items, _ = objects(&f, "items", asset.MaxItems+1, rule, func(f *fields) asset.StatusItem {
		content := one(f, "content", asString)
		contents = append(contents, content)
		result, err := classify.Classify(content)
		return asset.StatusItem{
			Identity:  result.Identity,
			Status:    asset.Status(f.nonEmpty("status")),
			ExpiresAt: one(f, "expiresAt", asExpiry),
			Refused:   err,
		}
	})
	return req, contents, f.join(req.Validate())
}

// UndoAssetDecisions decodes POST /asset/undo for operators, as SetAssetStatuses does.
func (c Call) UndoAssetDecisions() (req asset.UndoRequest, contents []string, err error) {
	f := c.bodyWith(nameRule{
		fields:   []string{"items", "reference", "confirmProtected", "dryRun"},
		contents: []string{"items", anyElement, "content"},
	})
	f.refuseKey(c, "must not be given for an operation on several assets")
	req = asset.UndoRequest{
		Origin:           asset.Origin{Actor: c.Caller.UserID, Reference: f.text("reference")},
		ConfirmProtected: f.flag("confirmProtected"),
		DryRun:           f.flag("dryRun"),
	}
	rule := nameRule{fields: []string{"content", "decision", "previous"}}
	req.Items, _ = objects(&f, "items", asset.MaxItems+1, rule, func(f *fields) asset.UndoItem {
		content := one(f, "content", asString)
		contents = append(contents, content)
		result, err := classify.Classify(content)
		return asset.UndoItem{Identity: result.Identity, Decision: f.decision("decision"), Previous: f.decision("previous"), Refused: err}
	})
	return req, contents, f.join(req.Validate())
}

// decision decodes a decision as a response has it. Its actor is ignored.
func (f *fields) decision(name string) *asset.Decision {
	rule := nameRule{fields: []string{"status", "reason", "note", "reference", "actor", "since", "expiresAt", "reviewAt"}}
	return optionalObject(f, name, rule, func(f *fields) asset.Decision {
		return asset.Decision{
			Status:    asset.Status(f.nonEmpty("status")),
			Reason:    asset.Reason(f.nonEmpty("reason")),
			Note:      f.text("note"),
			Since:     one(f, "since", asMoment),
			ExpiresAt: one(f, "expiresAt", asMoment),
			ReviewAt:  one(f, "reviewAt", asMoment),
			Origin:    asset.Origin{Reference: f.text("reference")},
		}
	})
}

// PreviewAssetStatus decodes POST /asset/preview for operators.
func (c Call) PreviewAssetStatus() (asset.StatusItem, error) {
	f := c.reading(c.body("content", "status"))
	item := asset.StatusItem{Identity: f.identity(), Status: asset.Status(f.nonEmpty("status"))}
	f.require(item.Identity != asset.Identity{}, "content")
	f.require(item.Status != "", "status")
	return item, f.join(asset.SetStatusRequest{Identity: item.Identity, Status: item.Status}.Validate())
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
