package dispute

import (
	"slices"
	"strconv"
	"time"

	"github.com/apguard/apguard/asset"
)

// Transition is what [Store.MoveDispute] carries out.
type Transition struct {
	DisputeID int64
	// From are the states in which the dispute must be found. Empty means each from
	// which a dispute can become To.
	From []State
	To   State
	// AssetStatus is what the asset gets. Empty leaves it as it is.
	AssetStatus asset.Status
	// Actor is the user who moves the dispute, or 0 when not known.
	Actor int64
	// Reason may be empty.
	Reason string
	At     time.Time
}

// Apply returns the dispute, which comes with its notes, as it is after the move: in
// the new state, updated, and with a last note that tells of the move. The error is
// a [*TransitionError] or [ErrTooManyNotes]. Every store answers as this function does.
func (m Transition) Apply(d Dispute) (Dispute, error) {
	if len(m.From) > 0 && !slices.Contains(m.From, d.State) || !d.State.CanBecome(m.To) {
		return Dispute{}, &TransitionError{From: d.State, To: m.To}
	}
	if len(d.Notes) >= MaxNotes && !m.To.Closed() {
		return Dispute{}, ErrTooManyNotes
	}
	d.State = m.To
	return d.noted(Note{Text: m.Reason, Author: m.Actor, State: m.To, CreatedAt: m.At}), nil
}

// Origin returns where the change of a status came from that this move caused.
func (m Transition) Origin() asset.Origin {
	return asset.Origin{
		Cause:     asset.CauseDispute,
		Actor:     m.Actor,
		Reference: "dispute/" + strconv.FormatInt(m.DisputeID, 10),
	}
}

// AddNoteCommand is what [Store.AddDisputeNote] writes.
type AddNoteCommand struct {
	DisputeID int64
	Text      string
	// Actor is the user who wrote the note, or 0 for the service itself.
	Actor int64
	At     time.Time
}

// Apply returns the dispute, which comes with its notes, as it is with the new note. The
// error is [ErrTooManyNotes]. Every store answers as this function does.
func (w AddNoteCommand) Apply(d Dispute) (Dispute, error) {
	if len(d.Notes) >= MaxNotes {
		return Dispute{}, ErrTooManyNotes
	}
	return d.noted(Note{Text: w.Text, Author: w.Actor, CreatedAt: w.At}), nil
}

// noted returns the dispute with one more note, which is its latest update. The
// notes of d itself stay as they are.
func (d Dispute) noted(note Note) Dispute {
	note.CreatedAt = asset.TruncateTime(note.CreatedAt)
	d.UpdatedAt = asset.UpdatedAt(d.CreatedAt, note.CreatedAt)
	d.Notes = append(slices.Clip(d.Notes), note)
	return d
}
