package asset

import "slices"

// Status is the status of an asset. It has the values of the specification's asset
// status enumeration. The zero value is invalid; in a filter it means any status.
type Status string

// The asset statuses, in the order of the specification.
const (
	StatusUnknown Status = "UNKNOWN"
	StatusAllowed Status = "ALLOWED"
	StatusBlocked Status = "BLOCKED"
)

// statuses has every status. Databases have their positions, so a new status goes to the end.
var statuses = [...]Status{StatusUnknown, StatusAllowed, StatusBlocked}

// Statuses returns all statuses in the order of the specification. The caller may
// change the slice.
func Statuses() []Status {
	return slices.Clone(statuses[:])
}

// Valid reports whether s is one of the specification's statuses.
func (s Status) Valid() bool {
	return slices.Contains(statuses[:], s)
}
