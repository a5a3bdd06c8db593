package report

import "errors"

// The errors of the package, for errors.Is. The error for invalid input is an
// [*asset.InputError], which matches [asset.ErrInvalid]. Any other error comes from the
// store or the context. Reports outside of a request's [Scope] are treated as if they did
// not exist.
var (
	// ErrNotFound reports that the report does not exist.
	ErrNotFound = errors.New("report not found")
	// ErrProposalNotFound reports that the proposal does not exist.
	ErrProposalNotFound = errors.New("proposal not found")
	// ErrReviewNotFound reports that the review does not exist.
	ErrReviewNotFound = errors.New("review not found")
	// ErrNotDecision reports that the review is a SKIP or an ESCALATE, which cannot be
	// withdrawn.
	ErrNotDecision = errors.New("review is neither APPROVE nor REJECT")
	// ErrWithdrawn reports that the review is already withdrawn.
	ErrWithdrawn = errors.New("review already withdrawn")
	// ErrTooManyReviews reports that the reviews of the proposal would exceed [MaxReviews]
	// or [MaxTotalReviewBytes].
	ErrTooManyReviews = errors.New("proposal has too many reviews")
	// ErrDecided reports that the report has no undecided proposal to escalate.
	ErrDecided = errors.New("no undecided proposal")
)
