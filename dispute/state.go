package dispute

import (
	"fmt"
	"slices"
)

// State says how far the handling of a dispute has come. The zero value is no
// state; on a [Note] it means that the note belongs to no move.
type State string

// The states of a dispute. The specification leaves them open.
const (
	// StateOpen: nobody has taken the dispute up. Every dispute begins so.
	StateOpen State = "OPEN"
	// StateUnderReview: somebody looks at it.
	StateUnderReview State = "UNDER_REVIEW"
	// StateAccepted: the person who disputed was right.
	StateAccepted State = "ACCEPTED"
	// StateRejected: the asset stays as it is.
	StateRejected State = "REJECTED"
	// StateWithdrawn: the person who disputed has taken it back.
	StateWithdrawn State = "WITHDRAWN"
)

var states = [...]State{StateOpen, StateUnderReview, StateAccepted, StateRejected, StateWithdrawn}

// moves are all moves that a dispute can make. From each decision a way leads back
// to OPEN, as an e-mail address cannot dispute the asset a second time.
var moves = [...]struct{ from, to State }{
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

// States returns all states, OPEN first. The slice is the caller's own.
func States() []State {
	return slices.Clone(states[:])
}

// Valid reports whether s is one of the states.
func (s State) Valid() bool {
	return slices.Contains(states[:], s)
}

// Closed reports whether nobody is waiting for a decision in that state: ACCEPTED,
// REJECTED and WITHDRAWN.
func (s State) Closed() bool {
	return s == StateAccepted || s == StateRejected || s == StateWithdrawn
}

// CanBecome reports whether a dispute in state s can be moved to the other one. No
// state can become itself.
func (s State) CanBecome(to State) bool {
	return slices.Contains(moves[:], struct{ from, to State }{s, to})
}

// TransitionError says which move was refused because of the state in which the dispute
// was found. It matches [ErrInvalidTransition].
type TransitionError struct {
	// From is the state of the dispute, in which it was left.
	From State
	// To is the state that was asked for.
	To State
}

// Error names both states.
func (e *TransitionError) Error() string {
	return fmt.Sprintf("dispute is %s and cannot become %s in this way", e.From, e.To)
}

// Is makes the error match [ErrInvalidTransition].
func (e *TransitionError) Is(target error) bool { return target == ErrInvalidTransition }
