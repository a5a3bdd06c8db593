// Package asset holds what the whole service turns around: assets, their
// status, and the changelog of every change of a status.
//
// An asset is a URL, a domain, a blockchain address, an e-mail address, a
// social handle or the like. It is known by its [Identity], has one [Status]
// that all organizations share, and each change of that status is recorded as
// a [Change]. [Service] lists those changes and sets a status.
//
// The package decides; it neither stores nor recognizes. Storage stands behind
// [Store], and package classify finds out which Identity a text has.
package asset

import "time"

// MaxID is the largest identifier of anything in the service: identifiers are
// JSON numbers on the wire, and every reader of JSON keeps whole numbers
// exactly up to 2^53-1 (RFC 8259, section 6). Identifiers start at 1; 0 means
// none.
const MaxID = 1<<53 - 1

// ValidID reports whether id can be the identifier of something.
func ValidID(id int64) bool {
	return 1 <= id && id <= MaxID
}

// Identity is what makes two contents the same asset: the type, and the
// canonical form within that type. It is comparable and may be a map's key.
type Identity struct {
	Type      Type   `json:"type"`
	Canonical string `json:"canonical"`
}

// Asset is one asset and its status at the moment.
type Asset struct {
	ID int64
	Identity
	Status Status
}

// UpdatedAt returns the time of update of something that is updated at that moment.
// It is not before its creation, though the clock may have been set back.
func UpdatedAt(created, moment time.Time) time.Time {
	if moment.Before(created) {
		return created
	}
	return TruncateTime(moment)
}

// TruncateTime rounds t down to the precision that the service keeps: whole
// milliseconds, in UTC.
func TruncateTime(t time.Time) time.Time {
	return t.UTC().Truncate(time.Millisecond)
}

// ValidTime reports whether t can be stored: in UTC, it lies in the years 1 to 9999,
// which RFC 3339 can write.
func ValidTime(t time.Time) bool {
	return !t.Before(time.Time{}) && t.Before(time.Date(10_000, time.January, 1, 0, 0, 0, 0, time.UTC))
}
