package asset

import "slices"

// Status says what is known of an asset. Its values are those of the
// specification's asset status enumeration. The zero value is no status; in a
// filter it means any.
type Status string

// The asset statuses, in the order of the specification.
const (
	StatusUnknown Status = "UNKNOWN"
	StatusAllowed Status = "ALLOWED"
	StatusBlocked Status = "BLOCKED"
)

var statuses = [...]Status{StatusUnknown, StatusAllowed, StatusBlocked}

// Statuses returns all statuses in the order of the specification. The slice
// is the caller's own.
func Statuses() []Status {
	return slices.Clone(statuses[:])
}

// Valid reports whether s is one of the specification's statuses.
func (s Status) Valid() bool {
	return slices.Contains(statuses[:], s)
}
