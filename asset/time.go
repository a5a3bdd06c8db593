package asset

import "time"

// ValidTime reports whether t can be stored: in UTC, it must be in the years 1 to 9999,
// which RFC 3339 can represent.
func ValidTime(t time.Time) bool {
	return !t.Before(time.Time{}) && t.Before(time.Date(10_000, time.January, 1, 0, 0, 0, 0, time.UTC))
}

// TruncateTime rounds t down to whole milliseconds, in UTC. All stored times have this
// precision.
func TruncateTime(t time.Time) time.Time {
	return t.UTC().Truncate(time.Millisecond)
}
