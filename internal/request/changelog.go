package request

import "github.com/apguard/apguard/asset"

// Changelog decodes the specification's "Asset changelog".
func (c Call) Changelog() (asset.ChangelogQuery, error) {
	f := c.reading(c.specified("type", "content", "fromStatus", "toStatus", "startDate", "endDate"))
	query := asset.ChangelogQuery{
		Type:       asset.Type(f.nonEmpty("type")),
		Content:    f.text("content"),
		FromStatus: asset.Status(f.nonEmpty("fromStatus")),
		ToStatus:   asset.Status(f.nonEmpty("toStatus")),
		StartDate:  f.nonEmpty("startDate"),
		EndDate:    f.nonEmpty("endDate"),
	}
	return query, f.join(query.Validate())
}
