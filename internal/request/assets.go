package request

import (
	"cmp"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists"
)

// ListAssets decodes GET /asset/list. The limit of the request is never 0.
func (c Call) ListAssets() (asset.ListRequest, error) {
	f := c.query("status", "type", "prefix", "changedSince", "cursor", "limit")
	request := asset.ListRequest{
		Filter: asset.Filter{
			Status:       asset.Status(f.nonEmpty("status")),
			Type:         asset.Type(f.nonEmpty("type")),
			Prefix:       f.text("prefix"),
			ChangedSince: one(&f, "changedSince", asTime),
		},
		Cursor: f.cursor(),
		Limit:  cmp.Or(f.limit(asset.MaxListLimit), asset.DefaultListLimit),
	}
	return request, f.join(request.Validate())
}

// ExportAssets decodes GET /asset/export/{format} and returns the statuses to export.
func (c Call) ExportAssets(format lists.Format) ([]asset.Status, error) {
	f := c.query("status")
	statuses, err := lists.Statuses(format, f.nonEmpty("status"))
	return statuses, f.join(err)
}

// asTime converts a day in UTC, which means its start, or a time of RFC 3339.
func asTime(v value) (time.Time, string) {
	for _, layout := range []string{time.DateOnly, time.RFC3339Nano} {
		if at, err := time.Parse(layout, v.text); err == nil && asset.ValidTime(at) {
			return at.UTC(), ""
		}
	}
	return time.Time{}, "must be a date, written YYYY-MM-DD, or a time of RFC 3339"
}
