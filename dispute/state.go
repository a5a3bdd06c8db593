package dispute

import "slices"

// State is the state of a dispute. The zero value is not a valid state.
type State string

// The states of a dispute. The specification does not define any.
const (
	// StateOpen: the dispute waits for an operator. This is the initial state.
	StateOpen State = "OPEN"
	// StateUnderReview: an operator is reviewing the dispute.
	StateUnderReview State = "UNDER_REVIEW"
	// StateAccepted: an operator agreed with the dispute.
	StateAccepted State = "ACCEPTED"
	// StateRejected: an operator disagreed with the dispute.
	StateRejected State = "REJECTED"
	// StateWithdrawn: the person who created the dispute withdrew it.
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

// Closed reports whether the dispute needs no decision: whether s is ACCEPTED, REJECTED
// or WITHDRAWN.
func (s State) Closed() bool {
	return s == StateAccepted || s == StateRejected || s == StateWithdrawn
}

// transitions are all allowed transitions. Every closed state leads back to OPEN,
// because an e-mail address cannot dispute the same asset again.
var transitions = [...]struct{ from, to State }{
	{StateOpen, StateUnderReview},
	{StateOpen, StateAccepted},
	{StateOpen, StateRejected},
	{StateOpen, StateWithdrawn},
	{StateUnderReview, StateOpen},
	{StateUnderReview, StateAccepted},
	{StateUnderReview, StateRejected},
	{StateUnderReview, StateWithdrawn},
	{StateAccepted, StateOpen},
	{StateRejected, StateOpen},
	{StateWithdrawn, StateOpen},
}

// CanBecome reports whether a transition leads from s to the other state. It is false if
// both are the same.
func (s State) CanBecome(to State) bool {
	return slices.Contains(transitions[:], struct{ from, to State }{s, to})
}
