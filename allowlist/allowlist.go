// Package allowlist adds assets to the allowlists of organizations, up to 1,000
// at once, and lists them.
//
// [Service.Add] implements the specification's "Organization asset batch add".
// Each asset of a request is added or refused by itself, with a reason of its own.
// An added asset becomes ALLOWED for every organization, because a status belongs
// to the asset. That includes assets that were BLOCKED, unless
// [Options].RefuseBlocked is set.
package allowlist

import (
	"time"

	"github.com/apguard/apguard/asset"
)

// Entry is an asset on an organization's allowlist.
type Entry struct {
	// Asset is the asset with its status as it is now, which other organizations
	// and operators can have changed since.
	Asset asset.Asset `json:"asset"`
	// Content is the text that the organization submitted, without outer white space.
	// It is confidential to the organization.
	Content string `json:"content"`
	// Name and Description come from the organization. Both may be empty.
	Name        string `json:"name"`
	Description string `json:"description"`
	// GroupID is the organization's group, or 0 for none.
	GroupID int64 `json:"groupId,omitzero"`
	// AddedAt is in UTC and has whole milliseconds.
	AddedAt time.Time `json:"addedAt"`
}
