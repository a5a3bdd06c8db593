package report

import "errors"

// What can be wrong, for errors.Is. [asset.ErrInvalid] is the other one; an error
// that matches none of them is a failure of the storage or of the context. What
// belongs to another organization than the one asked for is not found, as if it did
// not exist.
var (
	// ErrNotFound: there is no such report.
	ErrNotFound = errors.New("report not found")
	// ErrProposalNotFound: there is no such proposal.
	ErrProposalNotFound = errors.New("proposal not found")
	// ErrReviewNotFound: there is no such review.
	ErrReviewNotFound = errors.New("review not found")
	// ErrNotDecision: the review is a SKIP or an ESCALATE, which cannot be withdrawn.
	ErrNotDecision = errors.New("only a review that approves or rejects can be withdrawn")
	// ErrWithdrawn: the review is withdrawn already.
	ErrWithdrawn = errors.New("review is withdrawn already")
	// ErrDecided: no proposal of the report is left to escalate.
	ErrDecided = errors.New("every proposal of the report is decided")
)
