package dispute

import (
	"slices"
	"time"

	"github.com/apguard/apguard/asset"
)

// Update is a change to a dispute and perhaps to the status of its asset.
// [QueueStore.UpdateDispute] stores both in one step.
type Update struct {
	// Dispute is the updated dispute. An update may change its State and UpdatedAt, and
	// append to its Notes. All other fields must stay the same.
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
