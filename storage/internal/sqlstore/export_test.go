package sqlstore

import "github.com/apguard/apguard/asset"

// Site returns what an asset has in common with the assets that cover it.
func Site(identity asset.Identity) string { return site(identity) }

// Sizes returns the number of slots of each kind.
func (s Slots) Sizes() (lists, searches, writes int) {
	return cap(s.lists), cap(s.searches), cap(s.writes)
}
