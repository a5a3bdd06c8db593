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
	// EventLost means that the feed does not accept the cursor of the endpoint any more. It
	// continues with the oldest change that is left; see [webhook.Endpoint.Locate].
	EventLost
	// EventFailed means that the store has failed. The work is repeated.
	EventFailed
)

// Event is something that a [Sender] reports.
type Event struct {
	Kind EventKind
	// EndpointID is 0 if the event concerns no single endpoint.
	EndpointID int64
	// Changes is the number of changes in the message.
	Changes int
	// Outcome is that of the request.
	Outcome webhook.Outcome
	// DisabledBy says why the endpoint was disabled.
	DisabledBy webhook.Reason
	// Err is the error of EventFailed.
	Err error
}
