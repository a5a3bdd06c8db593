package request

import (
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists"
)

// ListLists decodes GET /list/list for operators.
func (c Call) ListLists() (struct{}, error) {
	f := c.query()
	return struct{}{}, f.join()
}

// AddList decodes POST /list/add for operators. private is AllowPrivate of [lists.Options].
func (c Call) AddList(private bool) (lists.List, error) {
	f := c.unrepeatable("lists", "name", "format", "status", "reason", "url", "every")
	list := lists.List{
		Name:   f.nonEmpty("name"),
		Format: lists.Format(f.nonEmpty("format")),
		Status: asset.Status(f.nonEmpty("status")),
		Reason: asset.Reason(f.nonEmpty("reason")),
		URL:    f.nonEmpty("url"),
		Every:  one(&f, "every", asDuration),
	}
	f.require(list.Name != "", "name")
	f.require(list.Format != "", "format")
	return list, f.join(list.Validate(private))
}

// UpdateList decodes POST /list/update for operators.
func (c Call) UpdateList() (lists.UpdateRequest, error) {
	f := c.unrepeatable("lists", "name", "format", "status", "reason", "url", "every")
	request := lists.UpdateRequest{
		Name:   f.nonEmpty("name"),
		Format: (*lists.Format)(optional(&f, "format", asNonEmpty)),
		Status: (*asset.Status)(optional(&f, "status", asNonEmpty)),
		Reason: (*asset.Reason)(optional(&f, "reason", asNonEmpty)),
		URL:    optional(&f, "url", asText),
		Every:  optional(&f, "every", asDuration),
	}
	f.require(request.Name != "", "name")
	return request, f.join()
}

func asDuration(v value) (time.Duration, string) {
	text, issue := asString(v)
	duration, err := time.ParseDuration(text)
	if issue == "" && (err != nil || duration == 0) {
		issue = "must be a time such as 1h30m"
	}
	return duration, issue
}

// SyncList decodes the query of POST /list/sync for operators. The body is the file.
func (c Call) SyncList() (lists.SyncRequest, error) {
	f := c.parameters("name", "confirm", "dryRun")
	f.refuseKey(c, "must not be given for an operation on lists")
	return f.listSync(c)
}

// FetchList decodes POST /list/fetch for operators.
func (c Call) FetchList() (lists.SyncRequest, error) {
	f := c.unrepeatable("lists", "name", "confirm", "dryRun")
	return f.listSync(c)
}

func (f *fields) listSync(c Call) (lists.SyncRequest, error) {
	request := lists.SyncRequest{
		Name:    f.nonEmpty("name"),
		Actor:   c.Caller.UserID,
		Confirm: f.flag("confirm"),
		DryRun:  f.flag("dryRun"),
	}
	f.require(request.Name != "", "name")
	return request, f.join()
}

// ListRemoval says which list an operator removes.
type ListRemoval struct {
	Name string
	// Actor is the ID of the operator.
	Actor int64
}

// RemoveList decodes POST /list/remove for operators.
func (c Call) RemoveList() (ListRemoval, error) {
	f := c.unrepeatable("lists", "name")
	removal := ListRemoval{Name: f.nonEmpty("name"), Actor: c.Caller.UserID}
	f.require(removal.Name != "", "name")
	return removal, f.join()
}
