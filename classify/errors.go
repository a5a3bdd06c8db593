package classify

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// ErrRefused reports that [Classify] refused the content. The error is an [*Error].
var ErrRefused = errors.New("invalid asset")

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

// Is reports whether the target is [ErrRefused].
func (e *Error) Is(target error) bool { return target == ErrRefused }
