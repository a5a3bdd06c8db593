package request

import (
	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
)

// Changelog decodes the specification's "Asset changelog".
func (c Call) Changelog() (apguard.ChangelogQuery, error) {
	f := c.reading(c.specified("type", "content", "fromStatus", "toStatus", "startDate", "endDate"))
	query := apguard.ChangelogQuery{
		Type:       asset.Type(f.nonEmpty("type")),
		Content:    f.text("content"),
		FromStatus: asset.Status(f.nonEmpty("fromStatus")),
		ToStatus:   asset.Status(f.nonEmpty("toStatus")),
		StartDate:  f.nonEmpty("startDate"),
		EndDate:    f.nonEmpty("endDate"),
	}
	return query, f.join(query.Validate())
}
