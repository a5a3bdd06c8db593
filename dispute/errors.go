package dispute

import "errors"

// What can be wrong, for errors.Is. [asset.ErrNotFound] and [asset.ErrInvalid]
// are the other two; an error that matches none of them is a failure of the
// storage or of the context.
var (
	// ErrExists: there is a dispute of the same asset and e-mail address.
	ErrExists = errors.New("dispute already exists for this asset and e-mail")
	// ErrNotFound: there is no such dispute.
	ErrNotFound = errors.New("dispute not found")
)
