package allowlist

import (
	"time"

	"github.com/apguard/apguard/asset"
)

// Planned is what an [AddRequest] says about one [Item] before any store is asked.
type Planned struct {
	// Identity is the asset that the item names. It is zero if Err refuses the item itself.
	Identity asset.Identity
	// Err is what [Service.Add] would return for an empty allowlist on which nothing is BLOCKED.
	// [ErrExists] means that an earlier item names the same asset.
	Err error
}

// Plan returns what would happen to each item at the given time, in the order of the items, as
// far as the request itself decides. It is a pure function. [Service.Add] with DryRun also asks
// the store.
func (req AddRequest) Plan(at time.Time) []Planned {
	batch := entriesOf(req.Items, at)
	added := make([]Outcome, len(batch.Unique))
	planned := make([]Planned, len(req.Items))
	for i, place := range batch.Places {
		planned[i].Err = outcomeAt(place, added).Err
		if place.Err == nil {
			planned[i].Identity = batch.Unique[place.Index].Asset.Identity
		}
	}
	return planned
}
