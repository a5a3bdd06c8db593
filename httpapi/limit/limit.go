// Package limit contains what keeps one caller or client from taking a server away from the
// others. Package httpapi applies it to each request.
//
// Host applications use [NewRate], or implement [Admission] and [Failures] themselves, and
// set them in httpapi.Options. [Load] and [Work] are for handlers: they limit what a server does
// at the same time, and how long it works for one request.
package limit

import (
	"fmt"
	"time"
)

// The names of the limits of this package. Those of a [Load] end in a suffix if they are those of an
// organization or a client address instead of a caller.
const (
	PolicyRequests   = "requests"
	PolicyCostly     = "costly-requests"
	PolicyWaiting    = "waiting-requests"
	PolicyRefused    = "refused-requests"
	PolicyBodies     = "bodies"
	PolicyRate       = "rate"
	PolicyFailedRate = "failed-authentication"

	SuffixOrganization = "-of-organization"
	SuffixClient       = "-of-client"
)

// Error refuses a request for some time, because a limit is reached. An [Admission], a
// [Failures] and a store can return it.
type Error struct {
	// Status is 429 or 503. Any other value means 429.
	Status int
	// Policy is the name of the limit, of printable ASCII. httpapi.RequestInfo.Limit has it,
	// and with Quota the response to the client.
	Policy string
	// Quota is the number of requests that the caller may make within Window or, if Window
	// is 0, at the same time. If Quota is 0, a 429 response has no RateLimit headers.
	Quota  int64
	Window time.Duration
	// RetryAfter is the time after which the client may try again. It is rounded up to
	// whole seconds, and at least one.
	RetryAfter time.Duration
}

// Error returns a text with the name of the limit.
func (e *Error) Error() string { return fmt.Sprintf("limit %q is reached", e.Policy) }
