package dispute

import (
	"slices"
	"time"

	"github.com/apguard/apguard/asset"
)

// Update is a change to a dispute and perhaps to its asset, which
// [QueueStore.UpdateDispute] stores in one step.
type Update struct {
	// Dispute is the updated dispute. An update changes its State and UpdatedAt and
	// appends to its Notes; all else must be as it was.
	Dispute Dispute
	// AssetStatus is the new status of the asset. Empty leaves the asset unchanged.
	AssetStatus asset.Status
	// Origin and At are those of the change to the asset's status.
	Origin asset.Origin
	At     time.Time
}

// withNote returns d with one more note, whose time is that of the update. It does not
// write to the notes of d.
func (d Dispute) withNote(note Note) Dispute {
	note.CreatedAt = asset.TruncateTime(note.CreatedAt)
	d.UpdatedAt = asset.UpdatedAt(d.CreatedAt, note.CreatedAt)
	d.Notes = append(slices.Clip(d.Notes), note)
	return d
}
