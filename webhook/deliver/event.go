package deliver

import "github.com/apguard/apguard/webhook"

// EventKind is a kind of [Event].
type EventKind int

// The kinds of events.
const (
	// EventDelivered means that a receiver has accepted a message.
	EventDelivered EventKind = iota + 1
	// EventRefused means that a request has failed. It will be repeated.
	EventRefused
	// EventDisabled means that a request has failed and the endpoint was disabled; see DisabledBy
	// of the endpoint.
	EventDisabled
	// EventLost means that the place of the endpoint is not valid any more. It continues at the
	// same position, or at the beginning; see [webhook.Endpoint.Locate].
	EventLost
	// EventFailed means that the store has failed, or that the place of the endpoint is beyond the end
	// of all events ([asset.ErrFutureCursor]). The work is repeated.
	EventFailed
)

// Event is something that a [Sender] reports.
type Event struct {
	Kind EventKind
	// EndpointID is 0 if the event concerns no single endpoint.
	EndpointID int64
	// Events is the number of changes, or events of disputes, in the message.
	Events int
	// Outcome is that of the request. Operators may not see all of it; see [webhook.Outcome.Told].
	Outcome webhook.Outcome
	// DisabledBy says why the endpoint was disabled.
	DisabledBy webhook.Reason
	// Err is the error of EventFailed.
	Err error
}

// eventOf returns the event of a request after which the endpoint is as given.
func eventOf(e webhook.Endpoint, choice webhook.Choice, outcome webhook.Outcome) Event {
	event := Event{Kind: EventDelivered, EndpointID: e.ID, Events: choice.Events, Outcome: outcome}
	switch {
	case outcome.Succeeded():
	case e.State == webhook.StateDisabled:
		event.Kind, event.DisabledBy = EventDisabled, e.DisabledBy
	default:
		event.Kind = EventRefused
	}
	return event
}
