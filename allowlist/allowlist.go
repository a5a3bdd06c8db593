// Package allowlist lets an organization add up to 1,000 assets at once to its
// allowlist, each one recognized by type, and read the list back.
//
// [Service.Add] follows the specification's "Organization asset batch add":
// some assets of a request may be added while others are refused, each with a
// reason of its own. What is added has the status ALLOWED from then on, for
// everybody: a status belongs to the asset and not to the organization. That
// also holds for an asset that was BLOCKED; a host that does not want to give
// organizations this power sets [Options].RefuseBlocked.
package allowlist

import (
	"time"

	"github.com/apguard/apguard/asset"
)

// MaxItems is the largest number of assets that one request may add.
const MaxItems = 1000

// Request asks for assets to be put on an organization's allowlist.
type Request struct {
	OrganizationID int64
	// Actor is the user who asks, or 0 when none is known. It is kept with the
	// changes of status.
	Actor int64
	// Items are the assets, 1 to [MaxItems] of them.
	Items []Item
}

// Item is one asset of a [Request].
type Item struct {
	// Content is the asset as it was submitted: a URL, an address, a handle, ...
	Content string
	// Name and Description are kept with the entry. Both may be empty.
	Name        string
	Description string
	// GroupID names a group of the organization, nil none.
	GroupID *int64
}

// Result says what became of one [Item].
type Result struct {
	// Content is the item's content exactly as it was submitted.
	Content string
	// AssetID is the identifier of the asset when it was added, else 0.
	AssetID int64
	// Err is nil when the asset was added. Otherwise it matches
	// ErrContentRequired, ErrInvalidFormat (and classify's typed error, which
	// says why), ErrInvalidGroupID, ErrExists or ErrBlocked.
	Err error
}

// Entry is one asset on an organization's allowlist.
type Entry struct {
	Asset       asset.Asset
	Name        string
	Description string
	// GroupID is 0 when the entry is in no group.
	GroupID int64
	// AddedAt is in UTC and has whole milliseconds.
	AddedAt time.Time
}

// Holder is an organization that has a certain asset on its allowlist.
type Holder struct {
	OrganizationID int64
	// AddedAt is in UTC and has whole milliseconds.
	AddedAt time.Time
}
