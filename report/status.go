package report

import "slices"

// Status is the progress of the review of a report. It has the values of the
// specification. The zero value is not a status; in a filter it matches every status.
type Status string

// The report statuses, in the order of the specification.
const (
	StatusTodo       Status = "TODO"
	StatusInProgress Status = "IN_PROGRESS"
	StatusClosed     Status = "CLOSED"
)

var statuses = [...]Status{StatusTodo, StatusInProgress, StatusClosed}

// Statuses returns all report statuses in the order of the specification. The caller
// owns the slice.
func Statuses() []Status {
	return slices.Clone(statuses[:])
}

// Valid reports whether s is one of the report statuses.
func (s Status) Valid() bool {
	return slices.Contains(statuses[:], s)
}

// StatusOf returns the status of a report with these proposals: [StatusTodo] if none
// is decided, [StatusClosed] if all are, and [StatusInProgress] otherwise. Without
// proposals it is [StatusTodo].
func StatusOf(proposals []Proposal) Status {
	decided := 0
	for _, p := range proposals {
		if p.ReviewStatus.Decides() {
			decided++
		}
	}
	switch decided {
	case 0:
		return StatusTodo
	case len(proposals):
		return StatusClosed
	default:
		return StatusInProgress
	}
}
