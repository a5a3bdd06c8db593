package webhook

import "errors"

// Sentinel errors, for errors.Is. Errors about invalid input are of type [*asset.InputError]. Any
// other error comes from the store or the context.
var (
	// ErrNotFound reports that there is no such endpoint.
	ErrNotFound = errors.New("webhook endpoint not found")
	// ErrNotDue reports that the endpoint is not to be sent this message now: another sender has
	// it, or an operator has changed it.
	ErrNotDue = errors.New("webhook endpoint is not due")
	// ErrLeaseLost reports that the endpoint does not wait for the outcome of this request any more.
	ErrLeaseLost = errors.New("lease of the webhook endpoint is lost")
)
