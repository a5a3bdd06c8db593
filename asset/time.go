package asset

import (
	"regexp"
	"strings"
	"time"
)

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

// rfc3339 is the format of RFC 3339, section 5.6. time.Parse accepts more, such as an
// hour of one digit.
var rfc3339 = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

// ParseTime parses a time in the format of RFC 3339. It reports false for any other text,
// and for a time that is before year 1 in UTC.
func ParseTime(text string) (time.Time, bool) {
	text = strings.ToUpper(text) // RFC 3339 allows t and z
	t, err := time.Parse(time.RFC3339, text)
	if err != nil || !rfc3339.MatchString(text) || t.UTC().Year() < 1 {
		return time.Time{}, false
	}
	return t, true
}
