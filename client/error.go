package client

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/pending"
)

// The errors that an [*Error] matches. Those that have the same meaning for a service in the same
// process are the same values.
var (
	// ErrInvalid reports that the server refuses the input. Error.Issues says why. It also matches [asset.ErrProtected]
	// if a request blocks a protected asset without confirming it.
	ErrInvalid = asset.ErrInvalid
	// ErrUnauthorized reports that the key is missing, unknown, expired or revoked. Operations that
	// change an allowlist report it also if the key lacks the scope.
	ErrUnauthorized = errors.New("not authorized")
	// ErrForbidden reports that the key lacks the scope, or belongs to no organization.
	ErrForbidden = errors.New("insufficient access")
	// ErrNotFound reports that there is no such asset, group, dispute, report or other record, or no such operation,
	// which can be because of a wrong base URL. It also matches [asset.ErrNoDecision] if that is the reason.
	ErrNotFound = errors.New("not found")
	// ErrConflict reports that an operator's request does not fit what is stored: the name is taken, the record has
	// another state, or it was changed in the meantime, which also matches [asset.ErrChanged].
	ErrConflict = errors.New("conflict")
	// ErrInProgress reports that a request with the same idempotency key is being executed.
	ErrInProgress = idempotency.ErrInProgress
	// ErrReused reports that the idempotency key was used for another request.
	ErrReused = idempotency.ErrReused
	// ErrRateLimited reports that a limit of the server was reached. Error.RetryAfter says when to
	// try again.
	ErrRateLimited = errors.New("too many requests")
	// ErrUnavailable reports that the server could not be reached, or cannot do its work now. The
	// request was not executed.
	ErrUnavailable = asset.ErrUnavailable
	// ErrOutcomeUnknown reports that a request that changes something may have been executed or not.
	// Repeat it with the key in Error.IdempotencyKey to find out. If there is none, read the records.
	ErrOutcomeUnknown = asset.ErrOutcomeUnknown
	// ErrCursor reports that the feed cannot continue from the cursor. It also matches
	// [asset.ErrPrunedCursor], [asset.ErrFutureCursor], or [asset.ErrMalformedCursor], which includes
	// cursors of another store. The follower must start again with a new list.
	ErrCursor = errors.New("cursor is refused")
	// ErrResponse reports that a response is incomplete, too large, or not what the operation
	// returns.
	ErrResponse = errors.New("unusable response")
)

// Issue is one problem with a request.
type Issue struct {
	// Message begins with the name of the field, such as "limit: must be from 1 to 20".
	Message string `json:"message"`
	// Reason says why a content is refused, for programs. It is empty for other issues.
	Reason classify.Reason `json:"reason"`
}

// Error is the error of an operation.
type Error struct {
	// Operation is the method and the path of the operation, such as "POST /asset/check".
	Operation string
	// Status is the status of the response, or 0 if there was none.
	Status int
	// Code and Message are those of the response. Code is empty if the response does not come from
	// the API.
	Code, Message string
	// Issues are those of the request. The operations that change an allowlist have them in Message.
	Issues []Issue
	// RequestID identifies the request in the log of the server. It may be empty.
	RequestID string
	// RetryAfter is the time after which to try again, or 0 if the server does not say it.
	RetryAfter time.Duration
	// IdempotencyKey is the key of a request that changes something. It is empty for operations that take none.
	IdempotencyKey string
	// OutcomeUnknown reports whether such a request may have been executed.
	OutcomeUnknown bool
	// Act is what the request became if another operator must approve it. The error then matches [asset.ErrPending].
	Act *Act
	// Err is the error of the connection, the context or the response, or nil.
	Err error

	// broken reports whether the connection failed. sent reports whether the server may have received
	// the request, although there is no usable response.
	broken, sent bool
}

// maxText is the length to which texts of the server are cut in [Error.Error].
const maxText = 500

// Error returns a text with the operation, the status, the code, the message and the issues.
func (e *Error) Error() string {
	var text strings.Builder
	text.WriteString(e.Operation)
	if e.Status != 0 {
		fmt.Fprintf(&text, ": %d %s", e.Status, e.Code)
	}
	if e.Message != "" {
		text.WriteString(": " + printable(e.Message))
	}
	for _, issue := range e.Issues {
		if text.Len() > 2*maxText {
			text.WriteString("; ...")
			break
		}
		text.WriteString("; " + printable(issue.Message))
	}
	if e.Err != nil {
		text.WriteString(": " + printable(e.Err.Error()))
	}
	if e.OutcomeUnknown {
		text.WriteString(" (the request may have been executed)")
	}
	if e.RequestID != "" {
		text.WriteString(" [request " + printable(e.RequestID) + "]")
	}
	return text.String()
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether the error matches a sentinel error.
func (e *Error) Is(target error) bool {
	switch target {
	case ErrInvalid:
		return e.Status == http.StatusBadRequest || e.Status == http.StatusRequestEntityTooLarge
	case ErrUnauthorized:
		return e.Status == http.StatusUnauthorized
	case ErrForbidden:
		return e.Status == http.StatusForbidden
	case ErrNotFound:
		return e.Status == http.StatusNotFound
	case ErrConflict:
		return e.isConflict()
	case ErrInProgress:
		return e.Status == http.StatusConflict && !e.isConflict()
	case ErrReused:
		return e.Status == http.StatusUnprocessableEntity
	case ErrRateLimited:
		return e.Status == http.StatusTooManyRequests
	case ErrUnavailable:
		return !e.OutcomeUnknown && (e.broken || e.Status == http.StatusServiceUnavailable || e.isGateway())
	case ErrOutcomeUnknown:
		return e.OutcomeUnknown
	case ErrResponse:
		return e.Status == http.StatusOK && e.broken // it is incomplete
	case ErrNotModified:
		return e.Status == http.StatusNotModified
	case ErrCursor:
		return e.cursorError() != nil
	case classify.ErrContentRequired, classify.ErrInvalidFormat:
		return slices.ContainsFunc(e.Issues, func(issue Issue) bool {
			return issue.Reason != "" && (&classify.Error{Reason: issue.Reason}).Is(target)
		})
	case asset.ErrProtected:
		return slices.ContainsFunc(e.Issues, func(issue Issue) bool { return strings.HasPrefix(issue.Message, protectedIssue) })
	case asset.ErrPending:
		return e.Act != nil
	case asset.ErrChanged:
		return e.isConflict() && (e.Message == changedMessage || e.Message == effectMessage)
	case pending.ErrEffectChanged:
		return e.isConflict() && e.Message == effectMessage
	case asset.ErrNoDecision:
		return e.Status == http.StatusNotFound && e.Message == "Operators hold no decision on the asset"
	case lists.ErrUnconfirmed:
		return e.isConflict() && strings.HasSuffix(e.Message, "repeat it with confirm")
	case lists.ErrMostlyRefused:
		return e.isConflict() && strings.Contains(e.Message, "entries were refused, more than were accepted")
	case asset.ErrPrunedCursor, asset.ErrFutureCursor, asset.ErrMalformedCursor:
		return e.cursorError() == target
	default:
		return false
	}
}

// isConflict reports whether the request does not fit what is stored. The other responses with the status say when to
// send the request again.
func (e *Error) isConflict() bool { return e.Status == http.StatusConflict && e.RetryAfter == 0 }

// isGateway reports whether a proxy could not answer for the server.
func (e *Error) isGateway() bool {
	return e.Status == http.StatusBadGateway || e.Status == http.StatusGatewayTimeout
}

// cursorError returns the reason for which the feed refuses the cursor, or nil.
func (e *Error) cursorError() error {
	if e.Status == http.StatusGone {
		return asset.ErrPrunedCursor
	}
	for _, issue := range e.Issues {
		for _, cause := range []error{asset.ErrMalformedCursor, asset.ErrFutureCursor} {
			if issue.Message == "cursor: "+cause.Error() {
				return cause
			}
		}
	}
	return nil
}

// changedMessage says that something has changed since the caller saw it.
const changedMessage = "Changed in the meantime"

// pendingMessage says that an item has become an act.
const pendingMessage = "Another operator must approve this"

// effectMessage says that an act would do something else than it says.
const effectMessage = "What the act would do has changed; ask for it again"

// protectedIssue begins the issue of a request that blocks a protected asset without confirming it.
const protectedIssue = "confirmProtected: must be true to block it"

// unknownText begins the message of a 503 response to a request that may have been executed.
const unknownText = "The request may have been executed"

// mayHaveRun reports whether a request with an idempotency key may have been executed although it
// failed.
func (e *Error) mayHaveRun() bool {
	if e.Status == http.StatusServiceUnavailable {
		return strings.HasPrefix(e.Message, unknownText)
	}
	return e.sent || e.isGateway()
}

// decides reports whether the response to a repeated request tells that the first one was not
// executed: the server would have repeated its response.
func (e *Error) decides() bool {
	switch e.Status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusUnprocessableEntity:
		return true
	default:
		return e.isConflict()
	}
}

// printable returns at most maxText bytes of a text, without control characters.
func printable(text string) string {
	if len(text) > maxText {
		text = text[:maxText] + "..."
	}
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, text)
}
