package report

import "slices"

// Status says how far the review of a report is. Its values are those of the
// specification. The zero value is no status; in a filter it means any.
type Status string

// The report statuses, in the order of the specification.
const (
	StatusTodo       Status = "TODO"
	StatusInProgress Status = "IN_PROGRESS"
	StatusClosed     Status = "CLOSED"
)

var statuses = [...]Status{StatusTodo, StatusInProgress, StatusClosed}

// Statuses returns all statuses in the order of the specification. The slice is
// the caller's own.
func Statuses() []Status {
	return slices.Clone(statuses[:])
}

// Valid reports whether s is one of the specification's report statuses.
func (s Status) Valid() bool {
	return slices.Contains(statuses[:], s)
}

// StatusOf returns the status of a report whose proposals have these review
// statuses: TODO while none is decided, IN_PROGRESS while some are, CLOSED when
// all are. A report without proposals is TODO.
func StatusOf(reviews []ReviewStatus) Status {
	decided := 0
	for _, review := range reviews {
		if review.Decides() {
			decided++
		}
	}
	switch decided {
	case 0:
		return StatusTodo
	case len(reviews):
		return StatusClosed
	default:
		return StatusInProgress
	}
}

// ReviewStatus is what a reviewer said of a proposal. Its values are those of
// the specification. The zero value means that nobody has reviewed it.
type ReviewStatus string

// The review statuses, in the order of the specification.
const (
	ReviewApprove  ReviewStatus = "APPROVE"
	ReviewReject   ReviewStatus = "REJECT"
	ReviewSkip     ReviewStatus = "SKIP"
	ReviewEscalate ReviewStatus = "ESCALATE"
)

var reviewStatuses = [...]ReviewStatus{ReviewApprove, ReviewReject, ReviewSkip, ReviewEscalate}

// ReviewStatuses returns all review statuses in the order of the specification.
// The slice is the caller's own.
func ReviewStatuses() []ReviewStatus {
	return slices.Clone(reviewStatuses[:])
}

// Valid reports whether s is one of the specification's review statuses.
func (s ReviewStatus) Valid() bool {
	return slices.Contains(reviewStatuses[:], s)
}

// Decides reports whether s settles a proposal, as APPROVE and REJECT do.
func (s ReviewStatus) Decides() bool {
	return s == ReviewApprove || s == ReviewReject
}
