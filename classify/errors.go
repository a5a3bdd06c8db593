package classify

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// The two kinds of an [*Error], for errors.Is.
var (
	// ErrContentRequired reports that the content is empty or consists of white space.
	ErrContentRequired = errors.New("content is required")
	// ErrInvalidFormat reports that the content is not a recognized asset.
	ErrInvalidFormat = errors.New("invalid asset format")
)

// Error reports why [Classify] refused the content. It never contains the content,
// which may be long, hostile or secret.
type Error struct {
	Reason Reason `json:"reason"`
	// Character is the first forbidden character in U+ notation, such as "U+202E".
	// Offset is the index of its first byte in the content. Both are zero unless the
	// reason is ReasonForbiddenCharacter.
	Character string `json:"character,omitempty"`
	Offset    int    `json:"offset,omitzero"`
}

// newError returns the error for a refused content.
func newError(content string, reason Reason) *Error {
	if reason != ReasonForbiddenCharacter {
		return &Error{Reason: reason}
	}
	start := len(content) - len(strings.TrimLeftFunc(content, unicode.IsSpace))
	for i, r := range content[start:] {
		if isForbidden(r) {
			return &Error{Reason: reason, Character: fmt.Sprintf("%U", r), Offset: start + i}
		}
	}
	return &Error{Reason: reason}
}

// Error returns the text of the reason.
func (e *Error) Error() string { return e.Reason.Text() }

// Is makes the error match [ErrContentRequired] for ReasonEmpty, and [ErrInvalidFormat] for any
// other reason.
func (e *Error) Is(target error) bool {
	if e.Reason == ReasonEmpty {
		return target == ErrContentRequired
	}
	return target == ErrInvalidFormat
}
