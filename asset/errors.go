package asset

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"
)

// What can be wrong, for errors.Is. An error that matches none of a package's
// sentinels is a failure of the storage or of the context.
var (
	// ErrInvalid: the caller's input is wrong. An [*InputError], which is nearly
	// always what comes, says where.
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
	// Field is the name of the field, as the specification has it where it knows
	// the field, such as "startDate", or a path to it, such as "assets[3].name".
	// It is empty when the issue is with the input as a whole.
	Field string
	// Message says what the field must be.
	Message string
	// Err is what the issue comes from, for programs. It may be nil.
	Err error
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

// AddCause notes that field is wrong because of an error, whose text is the message.
func (is *Issues) AddCause(field string, cause error) {
	*is = append(*is, Issue{Field: field, Message: cause.Error(), Err: cause})
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

// CheckID notes that field is wrong unless id is a valid identifier; see [ValidID].
func (is *Issues) CheckID(field string, id int64) {
	is.Check(ValidID(id), field, "must be from 1 to 2^53-1")
}

// CheckUser notes that field is wrong unless the identifier is that of a user, or 0
// for one who is not known.
func (is *Issues) CheckUser(field string, id int64) {
	is.Check(id == 0 || ValidID(id), field, "must be a user's id")
}

// Under returns the issues of a part of an input with the path of that part before
// their fields, such as "keys[0].name" for the field "name" of "keys[0]".
func (is Issues) Under(path string) Issues {
	moved := slices.Clone(is)
	for i, issue := range moved {
		if issue.Field == "" {
			moved[i].Field = path
		} else {
			moved[i].Field = path + "." + issue.Field
		}
	}
	return moved
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

// Unwrap returns what the issues come from.
func (e *InputError) Unwrap() []error {
	var causes []error
	for _, issue := range e.Issues {
		if issue.Err != nil {
			causes = append(causes, issue.Err)
		}
	}
	return causes
}

// JoinInput returns one error for the errors of several parts of an input: all
// issues of those that are [*InputError]s, nil when there are none, or the first
// error that is none of the caller's doing.
func JoinInput(errs ...error) error {
	var issues Issues
	for _, err := range errs {
		var input *InputError
		switch {
		case err == nil:
		case errors.As(err, &input):
			issues = append(issues, input.Issues...)
		default:
			return err
		}
	}
	return issues.Err()
}
