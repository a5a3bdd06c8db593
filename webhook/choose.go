package webhook

import (
	"errors"
	"slices"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/internal/wire"
	"github.com/apguard/apguard/pending"
)

// Entry is a change in the feed with its place.
type Entry struct {
	Change asset.Change
	Cursor asset.FeedCursor
	// Position is that of the cursor.
	Position int64
}

// Choice is what an endpoint is sent next.
type Choice struct {
	// Batch is the zero value if there is nothing to send.
	Batch   Batch
	Message Message
	// Events is the number of changes, events of disputes or acts in the message.
	Events int
	// Before is a place right before the batch, and After one right after it. If there is nothing
	// to send, After is a place behind all events that need not be examined again.
	Before, After Place
}

// Takes reports whether the endpoint receives events of that kind.
func (e Endpoint) Takes(event EventType) bool { return slices.Contains(e.Events, event) }

// TakesDisputes reports whether the endpoint receives events of disputes.
func (e Endpoint) TakesDisputes() bool {
	return e.Takes(EventDisputeCreated) || e.Takes(EventDisputeResolved)
}

// TakesActs reports whether the endpoint receives acts.
func (e Endpoint) TakesActs() bool { return e.Takes(EventPendingCreated) }

// Choose returns what the endpoint is sent next of the feed: the first changes of a status that its
// filter matches. The entries follow the place.
//
// If a batch was sent before and did not succeed, Choose returns the same one, so that a message
// never changes although there are new changes by now. The entries must then have its last change.
// The message is the same byte by byte, unless changes were pruned or a list was removed, whose name then
// is null.
func (e Endpoint) Choose(from Place, entries []Entry) Choice {
	choice := Choice{Before: from, After: from}
	var (
		changes []asset.Change
		size    = bodyStart + len(bodyEnd)
	)
	for _, entry := range entries {
		if e.Batch != (Batch{}) && entry.Position > e.Batch.Last {
			break
		}
		if !e.Takes(EventStatusChanged) || !entry.Change.OfStatus() || !e.Filter.Matches(entry.Change) {
			choice.After = choice.After.behind(entry)
			if len(changes) == 0 {
				choice.Before = choice.After
			}
			continue
		}
		size += len(wire.AppendFeedChange(nil, entry.Change)) + len(",")
		if len(changes) > 0 && (len(changes) == MaxChanges || size >= MaxBody) {
			break
		}
		if len(changes) == 0 {
			choice.Batch.First = entry.Position
		}
		changes = append(changes, entry.Change)
		choice.Batch.Last, choice.After = entry.Position, choice.After.behind(entry)
	}
	if choice.Events = len(changes); choice.Events == 0 {
		return choice
	}
	if e.Batch != (Batch{}) {
		choice.Batch = e.Batch // even if some of its changes were pruned
	}
	choice.Message = e.message(choice.After.Cursor.Store(), choice.Batch, statusBody(changes))
	return choice
}

// ChooseDispute returns what the endpoint is sent next of the events of disputes, as
// [Endpoint.Choose] does of the feed. A message has one event. The events follow the place.
func (e Endpoint) ChooseDispute(store asset.StoreID, from Place, events []dispute.Event) Choice {
	choice := Choice{Before: from, After: from}
	for _, event := range events {
		if e.Batch != (Batch{}) && event.Position > e.Batch.Last {
			break
		}
		choice.After.Dispute = event.Position
		if !e.Takes(disputeEvent(event)) || !e.Filter.MatchesType(event.Type) {
			choice.Before = choice.After
			continue
		}
		choice.Batch = Batch{First: event.Position, Last: event.Position, Dispute: true}
		choice.Events = 1
		choice.Message = e.message(store, choice.Batch, disputeBody(event))
		break
	}
	return choice
}

// ChooseAct returns what the endpoint is sent next of the acts, as [Endpoint.ChooseDispute] does of the events of
// disputes. The filter does not matter. A repeated message is the same although the act was decided in the meantime.
func (e Endpoint) ChooseAct(store asset.StoreID, from Place, acts []pending.Act) Choice {
	choice := Choice{Before: from, After: from}
	if len(acts) == 0 || !e.TakesActs() || e.Batch != (Batch{}) && acts[0].ID > e.Batch.Last {
		return choice
	}
	id := acts[0].ID
	choice.Events, choice.After.Act = 1, id
	choice.Batch = Batch{First: id, Last: id, Act: true}
	choice.Message = e.message(store, choice.Batch, actBody(acts[0]))
	return choice
}

// End is where all events end.
type End struct {
	Feed asset.Feed
	// Dispute is the position of the last event of a dispute.
	Dispute int64
	// Act is the ID of the last act.
	Act int64
}

// Place returns the place behind all events.
func (end End) Place() Place {
	return Place{Cursor: end.Feed.End(), Position: end.Feed.Last, Dispute: end.Dispute, Act: end.Act}
}

// Locate returns the place from which the endpoint continues. It differs from its Place if the feed
// does not accept the cursor any more. The positions then are the same:
//
//   - After changes were pruned, the endpoint misses the pruned ones, but the last change of each
//     asset is never pruned.
//   - If the store has another identity, it was restored from a backup, and the endpoint with it. A
//     position beyond the end is that of a really different store. Then it is the beginning instead.
//
// The error matches [asset.ErrFutureCursor] if the end is that of an older state of the store.
func (e Endpoint) Locate(end End) (Place, error) {
	_, err := end.Feed.Position(e.Place.Cursor)
	last := end.Feed.Last
	switch {
	case e.Batch.Dispute:
		last = end.Dispute
	case e.Batch.Act:
		last = end.Act
	}
	switch {
	case errors.Is(err, asset.ErrForeignCursor):
		return e.Place.in(end), nil
	case e.Batch.Last > last, e.TakesDisputes() && e.Place.Dispute > end.Dispute, e.TakesActs() && e.Place.Act > end.Act:
		return Place{}, asset.ErrFutureCursor
	case err == nil, !e.Takes(EventStatusChanged):
		return e.Place, nil
	case errors.Is(err, asset.ErrPrunedCursor):
		return e.Place.in(end), nil
	}
	return Place{}, err
}

// behind returns the place with the cursor right after a change.
func (p Place) behind(entry Entry) Place {
	p.Cursor, p.Position = entry.Cursor, entry.Position
	return p
}

// in returns the place with the same positions, as far as they exist, and a cursor of the feed.
func (p Place) in(end End) Place {
	if p.Position > end.Feed.Last {
		p.Position = 0
	}
	if p.Dispute > end.Dispute {
		p.Dispute = 0
	}
	if p.Act > end.Act {
		p.Act = 0
	}
	p.Cursor = cursorAt(end.Feed, p.Position)
	return p
}
