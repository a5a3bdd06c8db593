package webhook

import "errors"

// Sentinel errors, for errors.Is. Errors about invalid input are of type [*asset.InputError]. Any
// other error comes from the store or the context.
var (
	// ErrNotFound reports that there is no such endpoint.
	ErrNotFound = errors.New("webhook endpoint not found")
	// ErrNotPublic reports that the host of a URL is localhost, a name below it, or an address that is
	// not public, and that AllowPrivate of the [Options] is false. It is the cause of an issue.
	ErrNotPublic = errors.New("host of the webhook endpoint is not public")
	// ErrNotDue reports that the endpoint is not to be sent this message now: another sender has
	// it, or an operator has changed it.
	ErrNotDue = errors.New("webhook endpoint is not due")
	// ErrLeaseLost reports that the endpoint does not wait for the outcome of this request any more.
	ErrLeaseLost = errors.New("lease of the webhook endpoint is lost")
)
