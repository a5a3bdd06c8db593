package httpapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/httpapi/limit"
	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/internal/request"
)

// apiError is an error response.
type apiError struct {
	status int
	// message is empty for the usual message of the status.
	message string
	issues  asset.Issues
	// retryAfter is the time after which the client may try again, or 0 for no advice.
	retryAfter time.Duration
	// limit is the limit that was reached, or nil.
	limit *limit.Error
}

// Error returns the message.
func (e apiError) Error() string {
	_, message := e.codeAndMessage()
	return message
}

const (
	// unavailableRetry is when clients may try again after the service was unavailable.
	unavailableRetry = 5 * time.Second
	// inProgressRetry is when they may repeat a request that is still being executed.
	inProgressRetry = time.Second
)

// apiErrorOf returns the response to an error. It reports false for a failure of the
// server, which is a 500 or, if it may succeed later, a 503.
func apiErrorOf(err error) (apiError, bool) {
	if answer, known := operatorError(err); known {
		return answer, true
	}
	var (
		answer  apiError
		refusal *limit.Error
		group   *allowlist.GroupNotFoundError
	)
	if message, issues, invalid := request.Refusal(err); invalid {
		return apiError{status: http.StatusBadRequest, message: message, issues: issues}, true
	}
	switch {
	case errors.As(err, &answer):
		return answer, true
	case errors.As(err, &refusal):
		return limitAnswer(refusal), true
	case errors.As(err, &group):
		message := fmt.Sprintf("Group with ID %d not found", group.GroupID)
		return apiError{status: http.StatusNotFound, message: message}, true
	case errors.Is(err, account.ErrGroupNotFound):
		return apiError{status: http.StatusNotFound, message: "Group not found"}, true
	case errors.Is(err, dispute.ErrExists):
		issues := asset.Issues{{Message: "a dispute of this asset with this e-mail address exists already"}}
		return apiError{status: http.StatusBadRequest, issues: issues}, true
	case errors.Is(err, asset.ErrNotFound):
		return apiError{status: http.StatusNotFound, message: "Asset not found"}, true
	case errors.Is(err, idempotency.ErrReused):
		return apiError{status: http.StatusUnprocessableEntity, message: "Idempotency key was used for another request"}, true
	case errors.Is(err, idempotency.ErrInProgress):
		message := "A request with this idempotency key is in progress"
		return apiError{status: http.StatusConflict, message: message, retryAfter: inProgressRetry}, true
	case errors.Is(err, asset.ErrOutcomeUnknown):
		message := "The request may have been executed; repeat it with the same Idempotency-Key to find out"
		return apiError{status: http.StatusServiceUnavailable, message: message, retryAfter: unavailableRetry}, false
	case errors.Is(err, asset.ErrReadOnly):
		message := "This server is read-only; send the request to one that writes"
		return apiError{status: http.StatusServiceUnavailable, message: message}, true
	case errors.Is(err, asset.ErrUnavailable), errors.Is(err, context.DeadlineExceeded):
		return apiError{status: http.StatusServiceUnavailable, retryAfter: unavailableRetry}, false
	default:
		return apiError{status: http.StatusInternalServerError}, false
	}
}

// codeAndMessage returns the specification's code and message of the status, and
// similar ones for statuses that it does not list.
func (e apiError) codeAndMessage() (code, message string) {
	switch e.status {
	case http.StatusBadRequest:
		code, message = "BAD_REQUEST", "Invalid input data"
	case http.StatusUnauthorized:
		code, message = "UNAUTHORIZED", "Authorization not provided"
	case http.StatusForbidden:
		code, message = "FORBIDDEN", "Insufficient access"
	case http.StatusNotFound:
		code, message = "NOT_FOUND", "No such operation"
	case http.StatusMethodNotAllowed:
		code, message = "METHOD_NOT_SUPPORTED", "Method not supported"
	case http.StatusGone:
		code, message = "GONE", "Gone"
	case http.StatusRequestEntityTooLarge:
		code, message = "PAYLOAD_TOO_LARGE", "Request body is too large"
	case http.StatusUnsupportedMediaType:
		code, message = "UNSUPPORTED_MEDIA_TYPE", "Content-Type must be application/json"
	case http.StatusConflict:
		code, message = "CONFLICT", "Conflict"
	case http.StatusUnprocessableEntity:
		code, message = "UNPROCESSABLE_CONTENT", "Unprocessable content"
	case http.StatusTooManyRequests:
		code, message = "TOO_MANY_REQUESTS", "Too many requests"
	case http.StatusServiceUnavailable:
		code, message = "SERVICE_UNAVAILABLE", "Service unavailable"
	default:
		code, message = "INTERNAL_SERVER_ERROR", "Internal server error"
	}
	return code, cmp.Or(e.message, message)
}

// errorBody is an error body with issues of some form.
type errorBody[Issue any] struct {
	Code    string  `json:"code"`
	Message string  `json:"message"`
	Issues  []Issue `json:"issues"`
}

// standardBody returns the error body of most operations.
func standardBody(e apiError) any {
	type issue struct {
		Message string `json:"message"`
	}
	var body errorBody[issue]
	body.Code, body.Message = e.codeAndMessage()
	for _, text := range request.IssueTexts(e.issues, asset.Issue.String) {
		body.Issues = append(body.Issues, issue{text})
	}
	return body
}

// wrappedBody returns the error body of the operations that change an allowlist. It has no
// issues, so the message includes them.
func wrappedBody(e apiError) any {
	var body struct {
		Error struct {
			Code    string `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	body.Error.Code, body.Error.Message = e.codeAndMessage()
	if len(e.issues) > 0 {
		texts := request.IssueTexts(e.issues, func(i asset.Issue) string { return strings.TrimLeft(i.Field+" "+i.Message, " ") })
		body.Error.Message += ": " + strings.Join(texts, "; ")
	}
	return body
}
