package asset

import (
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

// ParseTime parses a time in the format of RFC 3339. It reports false for any other text,
// and for a time that is before year 1 in UTC.
func ParseTime(text string) (time.Time, bool) {
	text = strings.ToUpper(text) // RFC 3339 allows t and z
	t, err := time.Parse(time.RFC3339, text)
	if err != nil || !isRFC3339(text) || t.UTC().Year() < 1 {
		return time.Time{}, false
	}
	return t, true
}

// isRFC3339 reports whether a text that time.Parse accepts has the format of RFC 3339, section 5.6.
// time.Parse also accepts an hour of one digit, a comma, and an offset of 24 hours or 60 minutes. A regular
// expression would be a tenth of the rules that a front end loads.
func isRFC3339(text string) bool {
	const afterHour = len("2006-01-02T15")
	if text[afterHour] != ':' || strings.Contains(text, ",") {
		return false
	}
	if strings.HasSuffix(text, "Z") {
		return true
	}
	offset := text[len(text)-len("07:00"):]
	return offset[:2] <= "23" && offset[3:] <= "59"
}
