package report

import "errors"

// What can be wrong, for errors.Is. [asset.ErrInvalid] is the other one; an error
// that matches neither is a failure of the storage or of the context.
var (
	// ErrProposalNotFound: there is no such proposal.
	ErrProposalNotFound = errors.New("proposal not found")
)
