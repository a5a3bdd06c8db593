package report

import "errors"

// ErrNotFound: there is no such proposal. [asset.ErrInvalid] is the other error
// that a caller can tell; one that matches neither is a failure of the storage
// or of the context.
var ErrNotFound = errors.New("proposal not found")
