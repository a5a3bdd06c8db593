// Package webhook sends changes of status to HTTP endpoints of other systems, by the Standard
// Webhooks specification 1.0.0.
//
// An endpoint is a stored record with a URL, a secret and a place in the feed of changes. Operators
// manage endpoints with a [Service]. Package deliver sends the messages:
//
//	sender := deliver.New(guard.Webhooks, guard.Feed, deliver.Options{})
//	go sender.Run(ctx)
//
// Each endpoint receives every change that its filter matches at least once, and in the order of
// the feed. One request of an endpoint runs at a time, on any number of servers: a [Service.Take]
// gives the endpoint to one sender until it expires, and [Service.Record] stores what came of it.
// Nothing is stored with a change, so endpoints cost the other operations nothing.
//
// The package makes no requests itself. It has the rules: the message that a receiver gets, its
// signature, what a response means, and when to try again.
package webhook

import (
	"slices"
	"time"

	"github.com/apguard/apguard/asset"
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

	// Place is right after the last change that was received or does not match the filter. Changes
	// after it may have been examined already.
	Place Place `json:"place"`
	// Batch is what the last request sent, until it succeeds.
	Batch Batch `json:"batch,omitzero"`
	// Replays is the number of times that an operator has moved the place. Messages that repeat
	// changes after that have other IDs.
	Replays int64 `json:"replays,omitzero"`

	// Failures is the number of failed requests since FailingSince.
	Failures     int       `json:"failures,omitzero"`
	FailingSince time.Time `json:"failingSince,omitzero"`
	// Last is the outcome of the last request, which ended at LastAt.
	Last          Outcome   `json:"last,omitzero"`
	LastAt        time.Time `json:"lastAt,omitzero"`
	LastSuccessAt time.Time `json:"lastSuccessAt,omitzero"`

	// DueAt is when the endpoint is to be looked at again. The zero time means as soon as there
	// are changes.
	DueAt time.Time `json:"dueAt,omitzero"`
	// Lease identifies the request that is under way, or is empty. It expires at DueAt.
	Lease string `json:"-"`
}

// PageBytes implements [asset.PageItem].
func (e Endpoint) PageBytes() int {
	return asset.PageBytes(e.URL)
}

// Stored returns the endpoint as stores keep it: its times have whole milliseconds, and it shares
// no memory with e.
func (e Endpoint) Stored() Endpoint {
	e.Events = slices.Clone(e.Events)
	e.Filter = Filter{Types: slices.Clone(e.Filter.Types), Statuses: slices.Clone(e.Filter.Statuses)}
	e.Last.RetryAfter = 0
	for _, at := range []*time.Time{&e.CreatedAt, &e.OldSecretUntil, &e.FailingSince, &e.LastAt, &e.LastSuccessAt, &e.DueAt} {
		*at = asset.TruncateTime(*at)
	}
	return e
}

// EventType is a kind of event.
type EventType string

// EventStatusChanged is that the status of assets changed.
const EventStatusChanged EventType = "asset.status_changed"

// Valid reports whether t is a kind of event that endpoints can receive.
func (t EventType) Valid() bool { return t == EventStatusChanged }

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

// Place is a position in the feed.
type Place struct {
	Cursor asset.FeedCursor `json:"cursor"`
	// Position is that of the cursor. It is kept beside the cursor because the feed refuses a cursor
	// after changes were pruned.
	Position int64 `json:"position"`
}

// Batch identifies the changes of a message by the positions of the first and the last one. The
// zero value is none.
type Batch struct {
	First int64 `json:"first"`
	Last  int64 `json:"last"`
}
