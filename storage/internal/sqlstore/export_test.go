package sqlstore

import (
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// Site returns what an asset has in common with the assets that cover it.
func Site(identity asset.Identity) string { return classify.Site(identity) }

// Sizes returns the number of slots of each kind.
func (s Slots) Sizes() (lists, searches, writes int) {
	return cap(s.lists), cap(s.searches), cap(s.writes)
}
