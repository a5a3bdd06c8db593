package allowlist

import (
	"time"

	"github.com/apguard/apguard/asset"
)

// entriesOf returns the entries for the items, one for each asset.
func entriesOf(items []Item, at time.Time) asset.Batch[Entry] {
	batch := asset.NewBatch[Entry](len(items))
	for _, item := range items {
		entry, err := item.entry(at)
		if err != nil {
			batch.Refuse(err)
			continue
		}
		batch.Add(entry.Asset.Identity, entry)
	}
	return batch
}

// outcomeAt returns the outcome of the item with the place, given those of the entries. Only
// the first item with an asset can add it.
func outcomeAt(place asset.Place, outcomes []Outcome) Outcome {
	if place.Err != nil {
		return Outcome{Err: place.Err}
	}
	outcome := outcomes[place.Index]
	if place.Duplicate && outcome.Err == nil {
		outcome.Err = ErrExists
	}
	return outcome
}
