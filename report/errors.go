package report

import "errors"

// The errors of the package, for errors.Is. The error for invalid input is an
// [*asset.InputError], which matches [asset.ErrInvalid]. Any other error comes from the
// store or the context. Reports outside of a request's [Scope] are treated as if they did
// not exist.
var (
	// ErrNotFound means that the report does not exist.
	ErrNotFound = errors.New("report not found")
	// ErrProposalNotFound means that the proposal does not exist.
	ErrProposalNotFound = errors.New("proposal not found")
	// ErrReviewNotFound means that the review does not exist.
	ErrReviewNotFound = errors.New("review not found")
	// ErrNotDecision means that the review is a SKIP or an ESCALATE, which cannot be
	// withdrawn.
	ErrNotDecision = errors.New("review is neither APPROVE nor REJECT")
	// ErrWithdrawn means that the review is already withdrawn.
	ErrWithdrawn = errors.New("review already withdrawn")
	// ErrDecided means that there is nothing to escalate: the report has no undecided
	// proposal.
	ErrDecided = errors.New("no undecided proposal")
)
