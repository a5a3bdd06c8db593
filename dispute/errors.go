package dispute

import "errors"

// What can be wrong, for errors.Is. [asset.ErrNotFound] and [asset.ErrInvalid]
// are the others; an error that matches none of them is a failure of the
// storage or of the context.
var (
	// ErrExists: there is a dispute of the same asset and e-mail address.
	ErrExists = errors.New("dispute already exists for this asset and e-mail")
	// ErrNotFound: there is no such dispute.
	ErrNotFound = errors.New("dispute not found")
	// ErrTooManyNotes: the dispute has so many notes that it takes no more.
	ErrTooManyNotes = errors.New("dispute has too many notes")
	// ErrInvalidTransition: the dispute is in a state in which it cannot be moved so. A
	// [*MoveError] says which.
	ErrInvalidTransition = errors.New("forbidden move of a dispute")
)
