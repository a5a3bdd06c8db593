package webhook

import (
	"errors"

	"github.com/apguard/apguard/asset"
)

// Entry is a change in the feed with its place.
type Entry struct {
	Change asset.Change
	// Place is right after the change.
	Place Place
}

// Choice is what an endpoint is sent next.
type Choice struct {
	// Batch is the zero value if there is nothing to send.
	Batch   Batch
	Message Message
	// Changes is the number of changes in the message.
	Changes int
	// Before is a place right before the batch, and After one right after it. If there is nothing
	// to send, After is a place behind all changes that need not be examined again.
	Before, After Place
}

// Choose returns what the endpoint is sent next: the first changes that its filter matches. The
// entries follow the place in the feed.
//
// If a batch was sent before and did not succeed, Choose returns the same one, so that a message
// never changes although there are new changes by now. The entries must then have its last change.
// Unless changes were pruned, the message is the same byte by byte.
func (e Endpoint) Choose(from Place, entries []Entry) Choice {
	choice := Choice{Before: from, After: from}
	var (
		changes []asset.Change
		size    = bodyStart + len(bodyEnd)
	)
	for _, entry := range entries {
		if e.Batch != (Batch{}) && entry.Place.Position > e.Batch.Last {
			break
		}
		if !e.Filter.Matches(entry.Change) {
			if len(changes) == 0 {
				choice.Before = entry.Place
			}
			choice.After = entry.Place
			continue
		}
		size += len(appendChange(nil, entry.Change)) + len(",")
		if len(changes) > 0 && (len(changes) == MaxChanges || size >= MaxBody) {
			break
		}
		if len(changes) == 0 {
			choice.Batch.First = entry.Place.Position
		}
		changes = append(changes, entry.Change)
		choice.Batch.Last, choice.After = entry.Place.Position, entry.Place
	}
	if choice.Changes = len(changes); choice.Changes == 0 {
		return choice
	}
	if e.Batch != (Batch{}) {
		choice.Batch = e.Batch // even if some of its changes were pruned
	}
	choice.Message = statusMessage(e.messageID(choice.After.Cursor.Store(), choice.Batch), changes)
	return choice
}

// Locate returns the place in the feed from which the endpoint continues. It differs from its Place
// if the feed does not accept the cursor:
//
//   - After changes were pruned, the position is the same. The endpoint misses the pruned changes,
//     but the last change of each asset is never pruned.
//   - If the cursor is that of another store, as after tables were copied, it is the beginning.
//
// The error matches [asset.ErrFutureCursor] if the feed is that of an older state of the store.
func (e Endpoint) Locate(feed asset.Feed) (Place, error) {
	position, err := feed.Position(e.Place.Cursor)
	switch {
	case err == nil && e.Batch.Last > feed.Last:
		return Place{}, asset.ErrFutureCursor
	case err == nil:
		return Place{Cursor: e.Place.Cursor, Position: position}, nil
	case errors.Is(err, asset.ErrFutureCursor):
		return Place{}, err
	case errors.Is(err, asset.ErrForeignCursor):
		return Place{}, nil
	}
	return Place{Cursor: cursorAt(feed, e.Place.Position), Position: e.Place.Position}, nil
}
