package dispute

import "slices"

// State is the state of a dispute. The zero value is not a valid state.
type State string

// The states of a dispute. The specification does not define them.
const (
	// StateOpen means that the dispute waits for an operator. This is the initial state.
	StateOpen State = "OPEN"
	// StateUnderReview means that an operator is reviewing the dispute.
	StateUnderReview State = "UNDER_REVIEW"
	// StateAccepted means that an operator agreed with the dispute.
	StateAccepted State = "ACCEPTED"
	// StateRejected means that an operator disagreed with the dispute.
	StateRejected State = "REJECTED"
	// StateWithdrawn means that the person who created the dispute withdrew it.
	StateWithdrawn State = "WITHDRAWN"
)

var states = [...]State{StateOpen, StateUnderReview, StateAccepted, StateRejected, StateWithdrawn}

// States returns all states, OPEN first. The caller owns the slice.
func States() []State {
	return slices.Clone(states[:])
}

// Valid reports whether s is one of the states.
func (s State) Valid() bool {
	return slices.Contains(states[:], s)
}

// Closed reports whether s is ACCEPTED, REJECTED or WITHDRAWN. A closed dispute needs no
// decision.
func (s State) Closed() bool {
	return s == StateAccepted || s == StateRejected || s == StateWithdrawn
}
