package memory

import (
	"slices"
	"time"

	"github.com/apguard/apguard/asset"
)

// held returns what is held on an asset at the time.
func (r *assetRow) held(at time.Time) asset.Held {
	held := asset.Held{Known: r.Known, ChangedAt: r.changes.last().At, Operators: r.operators.Clone(), Lists: slices.Clone(r.lists)}
	for _, entry := range r.entries {
		if added := entry.entry.AddedAt; !entry.entry.Ended(at) && added.After(held.LastEntry) {
			held.LastEntry = added
		}
	}
	return held
}

// decide makes the status the decision of the operators. It returns the Since of the decision and the ID
// of the change, or zero for what there is not.
func (t *tables) decide(row *assetRow, status asset.Status, at time.Time, origin asset.Origin) (since time.Time, changeID int64) {
	held, decided := row.held(at).Decide(asset.Decision{Status: status, Origin: origin}, at)
	row.operators = held.Operators
	if decided {
		since = held.Operators.Since
	}
	return since, t.settle(row, held, at, origin)
}

// settle stores the status that the decisions give to the asset, and returns the ID of the change of the
// status, or 0.
func (t *tables) settle(row *assetRow, held asset.Held, at time.Time, origin asset.Origin) int64 {
	held, change, changed := held.Settle(at, origin)
	if !changed {
		return 0
	}
	t.lastChange++
	change.ID = t.lastChange
	row.Known = held.Known
	row.changes.insert(&change)
	t.changes.insert(&change)
	t.feed = append(t.feed, &change)
	if !change.OfStatus() {
		return 0
	}
	t.changed[change.To]++
	return change.ID
}
