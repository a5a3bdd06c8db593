// Package webhook sends events to HTTP endpoints of other systems, by the Standard Webhooks
// specification 1.0.0. Events are changes of status, disputes that are created or closed, and acts that wait for a second
// operator.
//
// An endpoint is a stored record with a URL, a secret and a place behind the events that it has
// received. Operators manage endpoints with a [Service]. Package deliver sends the messages:
//
//	sender := deliver.New(guard.Webhooks, deliver.Options{})
//	go sender.Run(ctx)
//
// Each endpoint receives every event of its kinds that its filter matches at least once. It receives
// changes in the order of the feed, and the events of disputes, and acts, in orders of their own. Between them,
// there is none: a dispute that is accepted may be reported before the change of its asset.
//
// One request of an endpoint runs at a time, on any number of servers: a [Service.Take] gives the
// endpoint to one sender until it expires, and [Service.Record] stores the outcome. Nothing is stored
// with a change, so endpoints cost the other operations nothing.
//
// The package makes no requests itself. It has the rules: the message that a receiver gets, its
// signature, what a response means, and when to try again.
package webhook

import (
	"reflect"
	"slices"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/step"
)

// Endpoint is a URL that receives messages.
type Endpoint struct {
	ID  int64  `json:"id"`
	URL string `json:"url"`
	// Events are the kinds of events that the endpoint receives.
	Events []EventType `json:"events"`
	Filter Filter      `json:"filter"`
	State  State       `json:"state"`
	// DisabledBy says why the state is DISABLED. Otherwise it is empty.
	DisabledBy Reason    `json:"disabledBy,omitzero"`
	CreatedAt  time.Time `json:"createdAt"`

	// Secret signs the messages. OldSecret signs them too until OldSecretUntil.
	Secret         Secret    `json:"-"`
	OldSecret      Secret    `json:"-"`
	OldSecretUntil time.Time `json:"oldSecretUntil,omitzero"`

	// Place is right after the last events that were received or do not match the filter. Events
	// after it may have been examined already.
	Place Place `json:"place"`
	// Batch is what the last request sent, until it succeeds.
	Batch Batch `json:"batch,omitzero"`
	// Replays is the number of times that an operator has moved the place. Messages that repeat
	// events after that have other IDs.
	Replays int64 `json:"replays,omitzero"`

	// Failures is the number of failed requests since FailingSince.
	Failures     int       `json:"failures,omitzero"`
	FailingSince time.Time `json:"failingSince,omitzero"`
	// Last is the outcome of the last request, which ended at LastAt.
	Last          Outcome   `json:"last,omitzero"`
	LastAt        time.Time `json:"lastAt,omitzero"`
	LastSuccessAt time.Time `json:"lastSuccessAt,omitzero"`

	// DueAt is when the endpoint is to be looked at again. The zero time means as soon as there
	// are events.
	DueAt time.Time `json:"dueAt,omitzero"`
	// Lease identifies the request that is under way, or is empty. It expires at DueAt.
	Lease string `json:"-"`
}

// PageBytes implements [step.PageItem].
func (e Endpoint) PageBytes() int {
	return step.PageBytes(e.URL)
}

// Stored returns the endpoint as stores keep it: its times have whole milliseconds, and it shares
// no memory with e.
func (e Endpoint) Stored() Endpoint {
	e.Events = slices.Clone(e.Events)
	e.Filter = Filter{Types: slices.Clone(e.Filter.Types), Statuses: slices.Clone(e.Filter.Statuses)}
	e.Last.RetryAfter = 0
	for _, at := range []*time.Time{&e.CreatedAt, &e.OldSecretUntil, &e.FailingSince, &e.LastAt, &e.LastSuccessAt, &e.DueAt} {
		*at = step.TruncateTime(*at)
	}
	return e
}

// Entry returns the entry of an update that made e of old. It is zero if nothing has changed. Stores
// call it.
func (e Endpoint) Entry(entry audit.Entry, old Endpoint) audit.Entry {
	if entry.IsZero() || reflect.DeepEqual(e.Stored(), old.Stored()) {
		return audit.Entry{}
	}
	return entry
}

// EventType is a kind of event.
type EventType string

// The kinds of events.
const (
	// EventStatusChanged is that the status of assets changed.
	EventStatusChanged EventType = "asset.status_changed"
	// EventDisputeCreated is that a dispute was created.
	EventDisputeCreated EventType = "dispute.created"
	// EventDisputeResolved is that a dispute was accepted, rejected or withdrawn.
	EventDisputeResolved EventType = "dispute.resolved"
	// EventPendingCreated is that an act waits for a second operator; see package pending.
	EventPendingCreated EventType = "pending.created"
)

var eventTypes = [...]EventType{EventStatusChanged, EventDisputeCreated, EventDisputeResolved, EventPendingCreated}

// EventTypes returns all kinds of events. The caller owns the slice.
func EventTypes() []EventType { return slices.Clone(eventTypes[:]) }

// Valid reports whether t is one of the kinds.
func (t EventType) Valid() bool { return slices.Contains(eventTypes[:], t) }

// disputeEvent returns the kind of an event.
func disputeEvent(event dispute.Event) EventType {
	if event.State.Closed() {
		return EventDisputeResolved
	}
	return EventDisputeCreated
}

// State says whether an endpoint receives messages.
type State string

// The states of an endpoint.
const (
	// StateActive endpoints receive messages.
	StateActive State = "ACTIVE"
	// StatePaused endpoints receive none until an operator resumes them.
	StatePaused State = "PAUSED"
	// StateDisabled is like StatePaused, but the receiver was the reason.
	StateDisabled State = "DISABLED"
)

// Reason says why an endpoint was disabled.
type Reason string

// The reasons.
const (
	// ReasonGone means that the receiver answered with the status 410.
	ReasonGone Reason = "GONE"
	// ReasonFailing means that no request succeeded for [DisableAfter].
	ReasonFailing Reason = "FAILING"
)

// Place is a place in each order of events.
type Place struct {
	// Cursor is a place in the feed of changes.
	Cursor asset.FeedCursor `json:"cursor"`
	// Position is that of the cursor. It is kept beside the cursor because the feed refuses a cursor
	// after changes were pruned.
	Position int64 `json:"position"`
	// Dispute is the position of an event of a dispute.
	Dispute int64 `json:"dispute"`
	// Act is the ID of a pending act.
	Act int64 `json:"act"`
}

// Batch identifies what a message has by the positions of its first and its last change. The zero
// value is none.
type Batch struct {
	First int64 `json:"first"`
	Last  int64 `json:"last"`
	// Dispute says that the positions are those of an event of a dispute, and equal.
	Dispute bool `json:"dispute,omitzero"`
	// Act says that the positions are the ID of a pending act.
	Act bool `json:"act,omitzero"`
}
