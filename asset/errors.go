package asset

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// What can be wrong, for errors.Is. An error that matches none of a package's
// sentinels is a failure of the storage or of the context.
var (
	// ErrInvalid: the caller's input is wrong. An [*InputError] says where.
	ErrInvalid = errors.New("invalid input")
	// ErrNotFound: there is no such asset.
	ErrNotFound = errors.New("asset not found")
)

// ValidText reports whether text can be stored: every store keeps all valid
// UTF-8 but NUL.
func ValidText(text string) bool {
	return utf8.ValidString(text) && !strings.Contains(text, "\x00")
}

// Issue is one thing that is wrong with an input. Both texts are written for
// the person who sent it.
type Issue struct {
	// Field is the specification's name of the field, such as "startDate", or a
	// path to it, such as "assets[3].name". It is empty when the issue is with
	// the input as a whole.
	Field string
	// Message says what the field must be.
	Message string
}

// String returns the issue as one line, such as "limit: must be from 1 to 20".
func (i Issue) String() string {
	if i.Field == "" {
		return i.Message
	}
	return i.Field + ": " + i.Message
}

// Issues gathers what is wrong with an input, so that all of it can be told at
// once. The zero value is ready to use.
type Issues []Issue

// Add notes that field is wrong.
func (is *Issues) Add(field, message string) {
	*is = append(*is, Issue{Field: field, Message: message})
}

// Check notes that field is wrong unless ok.
func (is *Issues) Check(ok bool, field, message string) {
	if !ok {
		is.Add(field, message)
	}
}

// CheckText notes that field is wrong unless its text can be stored.
func (is *Issues) CheckText(field, text string) {
	is.Check(ValidText(text), field, "must be valid UTF-8 without NUL")
}

// Join takes over the issues of err, which is nil or the [*InputError] of a part
// of the input. Any other error becomes one issue without a field.
func (is *Issues) Join(err error) {
	var input *InputError
	switch {
	case err == nil:
	case errors.As(err, &input):
		*is = append(*is, input.Issues...)
	default:
		is.Add("", err.Error())
	}
}

// Err returns an [*InputError] with the issues, or nil when there are none.
func (is Issues) Err() error {
	if len(is) == 0 {
		return nil
	}
	return &InputError{Issues: is}
}

// InputError says everything that is wrong with one input. It matches
// [ErrInvalid]. Every package of the service whose input can be wrong in more
// than one place returns it.
type InputError struct {
	Issues Issues
}

// Error lists all issues in one line.
func (e *InputError) Error() string {
	lines := make([]string, len(e.Issues))
	for i, issue := range e.Issues {
		lines[i] = issue.String()
	}
	return ErrInvalid.Error() + ": " + strings.Join(lines, "; ")
}

// Is makes the error match [ErrInvalid].
func (e *InputError) Is(target error) bool { return target == ErrInvalid }
