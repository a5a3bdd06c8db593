package httpapi

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
)

// maxIssues bounds how many issues a reply lists: a body can have a million
// faults, and nobody wants to read them.
const maxIssues = 100

// refusal is the answer to a request that is not carried out.
type refusal struct {
	status int
	// message is empty where the specification has one for the status.
	message string
	issues  asset.Issues
}

// Error makes a refusal an error, so that checks can return it.
func (r refusal) Error() string {
	return r.text()
}

// refusalOf returns how an error is answered. It reports false for an error that
// is no doing of the client; that is answered without a word on its cause.
func refusalOf(err error) (refusal, bool) {
	var (
		answer refusal
		input  *asset.InputError
		group  *allowlist.GroupNotFoundError
	)
	switch {
	case errors.As(err, &answer):
		return answer, true
	case errors.As(err, &input):
		return refusal{status: http.StatusBadRequest, issues: input.Issues}, true
	case errors.Is(err, allowlist.ErrTooMany):
		message := fmt.Sprintf("Maximum %d assets allowed per request", allowlist.MaxItems)
		return refusal{status: http.StatusBadRequest, message: message}, true
	case errors.As(err, &group):
		message := fmt.Sprintf("Group with ID %d not found", group.GroupID)
		return refusal{status: http.StatusNotFound, message: message}, true
	case errors.Is(err, dispute.ErrExists):
		issues := asset.Issues{{Message: "a dispute of this asset with this e-mail address exists already"}}
		return refusal{status: http.StatusBadRequest, issues: issues}, true
	case errors.Is(err, asset.ErrNotFound):
		return refusal{status: http.StatusNotFound, message: "Asset not found"}, true
	default:
		return refusal{status: http.StatusInternalServerError}, false
	}
}

// code returns the specification's code for the status, and codes of the same
// style for the statuses that it does not list.
func (r refusal) code() string {
	switch r.status {
	case http.StatusBadRequest:
		return "BAD_REQUEST"
	case http.StatusUnauthorized:
		return "UNAUTHORIZED"
	case http.StatusForbidden:
		return "FORBIDDEN"
	case http.StatusNotFound:
		return "NOT_FOUND"
	case http.StatusMethodNotAllowed:
		return "METHOD_NOT_SUPPORTED"
	case http.StatusRequestEntityTooLarge:
		return "PAYLOAD_TOO_LARGE"
	case http.StatusUnsupportedMediaType:
		return "UNSUPPORTED_MEDIA_TYPE"
	default:
		return "INTERNAL_SERVER_ERROR"
	}
}

func (r refusal) text() string {
	if r.message != "" {
		return r.message
	}
	switch r.status {
	case http.StatusBadRequest:
		return "Invalid input data"
	case http.StatusUnauthorized:
		return "Authorization not provided"
	case http.StatusForbidden:
		return "Insufficient access"
	default:
		return "Internal server error"
	}
}

// issueTexts returns the issues that the reply lists, each as join makes it.
func (r refusal) issueTexts(join func(asset.Issue) string) []string {
	texts := make([]string, 0, min(len(r.issues), maxIssues+1))
	for i, issue := range r.issues {
		if i == maxIssues {
			return append(texts, "and more")
		}
		texts = append(texts, join(issue))
	}
	return texts
}

// standardBody is the error body of all operations but one.
func standardBody(r refusal) any {
	type issue struct {
		Message string `json:"message"`
	}
	body := struct {
		Code    string  `json:"code"`
		Message string  `json:"message"`
		Issues  []issue `json:"issues"`
	}{Code: r.code(), Message: r.text()}
	for _, text := range r.issueTexts(asset.Issue.String) {
		body.Issues = append(body.Issues, issue{text})
	}
	return body
}

// wrappedBody is the error body of batch add. It has no issues, so that the
// message tells them.
func wrappedBody(r refusal) any {
	type problem struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	}
	body := struct {
		Error problem `json:"error"`
	}{problem{Code: r.code(), Message: r.text()}}
	if len(r.issues) > 0 {
		texts := r.issueTexts(func(i asset.Issue) string { return strings.TrimLeft(i.Field+" "+i.Message, " ") })
		body.Error.Message += ": " + strings.Join(texts, "; ")
	}
	return body
}
