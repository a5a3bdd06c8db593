package dispute

import (
	"cmp"
	"slices"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/step"
)

// Update is a change to a dispute and perhaps to the status of its asset.
// [QueueStore.UpdateDispute] stores both in one step.
type Update struct {
	// Note is added to the dispute. Its CreatedAt is the time of the update. The note of a
	// transition has the new State of the dispute; any other note leaves it unchanged.
	Note Note
	// AssetStatus is the new status of the asset. Empty leaves the asset unchanged.
	AssetStatus asset.Status
	// Origin is recorded with the change to the asset's status.
	Origin asset.Origin
}

// Apply returns d after the update. Stores call it. It does not write to the notes of d.
func (u Update) Apply(d Dispute) Dispute {
	u.Note.CreatedAt = step.TruncateTime(u.Note.CreatedAt)
	d.State = cmp.Or(u.Note.State, d.State)
	d.UpdatedAt = slices.MaxFunc([]time.Time{d.CreatedAt, u.Note.CreatedAt}, time.Time.Compare)
	d.Notes = append(slices.Clip(d.Notes), u.Note)
	d.Assignee = d.assignee()
	return d
}
