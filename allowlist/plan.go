package allowlist

import (
	"time"

	"github.com/apguard/apguard/asset"
)

// Planned is what an [AddRequest] says about one [Item] before any store is asked.
type Planned struct {
	// Identity is the asset that the item names. It is zero if Err refuses the item itself.
	Identity asset.Identity
	// Err is that of [Result] if the allowlist has none of the assets, and none is BLOCKED.
	// [ErrExists] means that an earlier item names the same asset.
	Err error
}

// Plan returns what would happen to each item at the given time, in the order of the items, as
// far as the request itself decides. It is a pure function. [Service.Add] with DryRun also asks
// the store.
func (req AddRequest) Plan(at time.Time) []Planned {
	candidates, places := recognize(req.Items, at)
	cmd := AddCommand{Places: places}
	planned := make([]Planned, len(req.Items))
	for i, outcome := range cmd.itemOutcomes(make([]Outcome, len(candidates))) {
		planned[i].Err = outcome.Err
		if places[i].Err == nil {
			planned[i].Identity = candidates[places[i].Candidate].Identity
		}
	}
	return planned
}
