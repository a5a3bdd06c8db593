package asset

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/apguard/apguard/idempotency"
)

// Sentinel errors of this package. An error that matches no other sentinel of any package comes
// from the storage or the context.
var (
	// ErrInvalid reports that the input is invalid. The error is an [*InputError] with
	// the details.
	ErrInvalid = errors.New("invalid input")
	// ErrNotFound reports that there is no such asset.
	ErrNotFound = errors.New("asset not found")
	// ErrNoDecision reports that the operators hold no decision on the asset. It matches ErrNotFound.
	ErrNoDecision error = noDecisionError{}
	// ErrChanged reports that something else has decided in the meantime: the record no longer
	// has the state that the caller saw. Nothing was stored.
	ErrChanged = errors.New("changed in the meantime")
	// ErrUnavailable reports that the store cannot do its work now, and may be able to do
	// it later. It cannot be reached, is locked, has no free connection or no space, or is
	// closed, for example. The call has stored nothing.
	ErrUnavailable = errors.New("store is unavailable")
	// ErrOutcomeUnknown reports that the store does not know whether it has stored what it was
	// to store: all of it or nothing. The database did not answer the commit, for example. Repeat
	// the request with the same idempotency key, or read the data to find out.
	ErrOutcomeUnknown = errors.New("outcome is unknown")
	// ErrReadOnly reports that the store only reads, for example on a standby server. Nothing was
	// stored. Another server must do the work.
	ErrReadOnly = errors.New("store is read-only")
)

type noDecisionError struct{}

func (noDecisionError) Error() string { return "operators hold no decision on the asset" }

// Is makes the error match [ErrNotFound].
func (noDecisionError) Is(target error) bool { return target == ErrNotFound }

// Issue is one problem with an input. Its texts are meant for the sender of the input.
type Issue struct {
	// Field is the name of the field or a path to it, such as "startDate" or
	// "assets[3].name". If the specification has the field, its name is used. Field is
	// empty if the issue concerns the whole input.
	Field string `json:"field,omitzero"`
	// Message says what the field must be.
	Message string `json:"message"`
	// Err is the underlying error for errors.Is and errors.As. It may be nil.
	Err error `json:"-"`
}

// String returns the issue as one line, such as "limit: must be from 1 to 20".
func (i Issue) String() string {
	if i.Field == "" {
		return i.Message
	}
	return i.Field + ": " + i.Message
}

// Issues collects the problems with an input, so that one error can list all of them.
// The zero value is ready to use.
type Issues []Issue

// Add adds an issue with the field and message.
func (is *Issues) Add(field, message string) {
	*is = append(*is, Issue{Field: field, Message: message})
}

// AddCause adds an issue with the field and the underlying error. The message is the text
// of the error.
func (is *Issues) AddCause(field string, cause error) {
	*is = append(*is, Issue{Field: field, Message: cause.Error(), Err: cause})
}

// Check adds an issue with the field and message unless ok is true.
func (is *Issues) Check(ok bool, field, message string) {
	if !ok {
		is.Add(field, message)
	}
}

// CheckText adds an issue with the field unless its text can be stored; see [ValidText].
func (is *Issues) CheckText(field, text string) {
	is.Check(ValidText(text), field, "must be valid UTF-8 without NUL")
}

// CheckTextLength is [Issues.CheckText] that also adds an issue if the text has more than
// maxBytes bytes.
func (is *Issues) CheckTextLength(field, text string, maxBytes int) {
	is.CheckText(field, text)
	if len(text) > maxBytes {
		is.Add(field, fmt.Sprintf("must be at most %d bytes long", maxBytes))
	}
}

// CheckID adds an issue with the field unless id is a valid identifier; see [ValidID].
func (is *Issues) CheckID(field string, id int64) {
	is.Check(ValidID(id), field, "must be from 1 to 2^53-1")
}

// CheckOptionalID is [Issues.CheckID] that also accepts 0.
func (is *Issues) CheckOptionalID(field string, id int64) {
	if id != 0 {
		is.CheckID(field, id)
	}
}

// CheckUser adds an issue with the field unless id is a valid user ID or 0 for an unknown
// user.
func (is *Issues) CheckUser(field string, id int64) {
	is.Check(id == 0 || ValidID(id), field, "must be a user's id")
}

// CheckIdempotency adds an issue with the field "Idempotency-Key" for an invalid key.
func (is *Issues) CheckIdempotency(key idempotency.Key) {
	var invalid *idempotency.KeyError
	if errors.As(key.Validate(), &invalid) {
		*is = append(*is, Issue{Field: "Idempotency-Key", Message: invalid.Message, Err: invalid})
	}
}

// CheckLimit adds an issue with the field "limit" unless limit is from 0 to maxLimit. A
// limit of 0 means the default.
func (is *Issues) CheckLimit(limit, maxLimit int) {
	is.Check(0 <= limit && limit <= maxLimit, "limit", fmt.Sprintf("must be from 1 to %d", maxLimit))
}

// Under returns a copy of the issues in which the field names start with path. With the
// path "keys[0]", the field "name" becomes "keys[0].name". An empty field becomes the
// path.
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

// Err returns an [*InputError] with the issues, or nil if there are none.
func (is Issues) Err() error {
	if len(is) == 0 {
		return nil
	}
	return &InputError{Issues: is}
}

// InputError lists everything that is wrong with an input. The services of all packages
// return it for an invalid request. It matches [ErrInvalid] and the Err of each issue.
type InputError struct {
	Issues Issues
}

// Error returns all issues in one line.
func (e *InputError) Error() string {
	lines := make([]string, len(e.Issues))
	for i, issue := range e.Issues {
		lines[i] = issue.String()
	}
	return ErrInvalid.Error() + ": " + strings.Join(lines, "; ")
}

// Is makes the error match [ErrInvalid].
func (e *InputError) Is(target error) bool { return target == ErrInvalid }

// Unwrap returns the underlying errors of the issues.
func (e *InputError) Unwrap() []error {
	var causes []error
	for _, issue := range e.Issues {
		if issue.Err != nil {
			causes = append(causes, issue.Err)
		}
	}
	return causes
}

// JoinInput joins the errors of several parts of an input: it returns one [*InputError]
// with all issues, or nil if all errors are nil. If one of the errors is not an
// InputError, JoinInput returns the first such error alone.
func JoinInput(errs ...error) error {
	var issues Issues
	for _, err := range errs {
		if err == nil {
			continue
		}
		var input *InputError
		if !errors.As(err, &input) {
			return err
		}
		issues = append(issues, input.Issues...)
	}
	return issues.Err()
}
