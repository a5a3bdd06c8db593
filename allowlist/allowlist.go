// Package allowlist adds assets to the allowlists of organizations and removes them, up
// to 1,000 at once, and lists them.
//
// [Service.Add] implements the specification's "Organization asset batch add".
// Each asset of a request is added or refused independently, and each refusal has
// a reason. Adding an asset makes it ALLOWED for every organization, because all
// organizations share the status of an asset. Even a BLOCKED asset becomes
// ALLOWED, unless RefuseBlocked of [Options] or of the [Item] is set. [Service.Remove] removes assets. When
// the last allowlist no longer contains an asset, the asset gets its earlier status back.
package allowlist

import (
	"time"

	"github.com/apguard/apguard/asset"
)

// Entry is an asset on an organization's allowlist.
type Entry struct {
	// Asset is the asset with its current status. Other organizations and operators
	// may have changed the status since the asset was added.
	Asset asset.Asset `json:"asset"`
	// Content is the text that the organization submitted, without outer white space.
	// It is confidential to the organization.
	Content string `json:"content"`
	// Name and Description come from the organization. Both may be empty.
	Name        string `json:"name"`
	Description string `json:"description"`
	// GroupID is the organization's group, or 0 for none.
	GroupID int64 `json:"groupId,omitzero"`
	// AddedAt is in UTC, truncated to milliseconds.
	AddedAt time.Time `json:"addedAt"`
	// ExpiresAt is the end of the entry, or zero for none. It is in UTC, truncated to
	// milliseconds.
	ExpiresAt time.Time `json:"expiresAt,omitzero"`
}

// PageBytes implements [asset.PageItem].
func (e Entry) PageBytes() int {
	return asset.PageBytes(e.Asset.Canonical, e.Content, e.Name, e.Description)
}
