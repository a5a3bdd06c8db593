// Package asset defines assets, their status, and the changelog, which records every
// change of a status.
//
// An asset is a URL, a domain, a blockchain address, an e-mail address, a social handle
// or the like. Its [Identity] distinguishes it from all other assets. An asset has one
// [Status], which all organizations share. Operators and organizations give it; see [Held]. Each
// change of the status is recorded as a [Change].
//
// Three services work on assets. Each requires only the store interface that it uses:
//
//   - [Service] reads and lists assets, sets their status and lists the changelog.
//   - [HistoryService] returns earlier statuses and prunes old changes.
//   - [FeedService] delivers every change to followers, in order and at least once.
//
// The package contains only rules. Package classify finds the Identity that a text names,
// and the packages under storage implement the store interfaces.
package asset

import (
	"strings"
	"time"
	"unicode/utf8"
)

// MaxID is the largest valid identifier. Identifiers are JSON numbers in the API, and many
// JSON parsers represent whole numbers exactly only up to 2^53-1 (RFC 8259, section 6).
// Identifiers start at 1; 0 means none.
const MaxID = 1<<53 - 1

// ValidID reports whether id is from 1 to [MaxID].
func ValidID(id int64) bool {
	return 1 <= id && id <= MaxID
}

// Identity identifies an asset: its type, and its canonical form within that type. Two
// texts with the same Identity name the same asset. Identities can be compared with ==.
type Identity struct {
	Type      Type   `json:"type"`
	Canonical string `json:"canonical"`
}

// Asset is an asset with its present status.
type Asset struct {
	ID int64 `json:"id"`
	Identity
	Status Status `json:"status"`
}

// ValidText reports whether text can be stored: it must be valid UTF-8 without NUL.
func ValidText(text string) bool {
	return utf8.ValidString(text) && !strings.Contains(text, "\x00")
}

// ValidTime reports whether t can be stored: in UTC, it must be in the years 1 to 9999,
// which RFC 3339 can represent.
func ValidTime(t time.Time) bool {
	return !t.Before(time.Time{}) && t.Before(time.Date(10_000, time.January, 1, 0, 0, 0, 0, time.UTC))
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
