package idempotency

import "errors"

// Errors of requests with a key, for errors.Is.
var (
	// ErrReused reports that the key was used for another request.
	ErrReused = errors.New("idempotency key was used for another request")
	// ErrInProgress reports that a request with the key is being executed, and that the
	// store does not wait for it. Repeat the request later.
	ErrInProgress = errors.New("request with this idempotency key is in progress")
	// ErrMalformedRecord reports that a stored record does not belong to the request.
	ErrMalformedRecord = errors.New("malformed record of an idempotency key")
)

// KeyError reports an invalid [Key].
type KeyError struct {
	// Message says what the key must be.
	Message string
}

// Error returns the message.
func (e *KeyError) Error() string { return "idempotency key " + e.Message }

// ReplayError is how a store tells a service that the request was executed before. It has
// done nothing. The service returns the answer to its caller instead of the error.
type ReplayError struct {
	// Answer is the Answer of the [Record].
	Answer []byte
}

// Error returns a text without the answer.
func (e *ReplayError) Error() string { return "request was executed before" }
