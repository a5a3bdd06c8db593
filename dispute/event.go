package dispute

import (
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/step"
)

// Event is that a dispute was created or closed. It has no e-mail address and no text of a
// person, so that other systems can be told of it. Package webhook sends events.
//
// A dispute that is opened again and then closed has another event.
type Event struct {
	// Position is the place of the event among all events, from 1. It never changes. The events of a
	// dispute are in order, and an event comes after all that were committed before its recording
	// began.
	Position  int64
	DisputeID int64
	AssetID   int64
	Type      asset.Type
	// Canonical is the canonical form of the asset.
	Canonical string
	// State is the state of the dispute after the event: OPEN if it was created, and a closed state
	// otherwise.
	State State
	// At is the time of the event, in UTC and whole milliseconds.
	At time.Time
}

// PageBytes implements [step.PageItem].
func (e Event) PageBytes() int { return step.PageBytes(e.Canonical) }

// Event returns the event of the new dispute. The store adds the position and the asset.
func (cmd CreateCommand) Event(created Dispute) Event {
	return Event{DisputeID: created.ID, AssetID: created.AssetID, State: created.State, At: created.CreatedAt}
}

// Event returns the event of an update after which the dispute is as given, or false if there is
// none. The store adds the position and the asset.
func (u Update) Event(updated Dispute) (Event, bool) {
	event := Event{DisputeID: updated.ID, AssetID: updated.AssetID, State: updated.State, At: step.TruncateTime(u.Note.CreatedAt)}
	return event, u.Note.State.Closed()
}
