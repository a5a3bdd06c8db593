package request

import (
	"errors"
	"fmt"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
)

// MaxIssues is the maximum number of issues that a response lists.
const MaxIssues = 100

// Refusal returns the message and the issues of the response to an invalid request, which has
// the status 400. It reports false for any other error.
func Refusal(err error) (message string, issues asset.Issues, invalid bool) {
	var input *asset.InputError
	switch {
	case errors.Is(err, allowlist.ErrTooMany):
		return fmt.Sprintf("Maximum %d assets allowed per request", allowlist.MaxItems), nil, true
	case errors.Is(err, check.ErrTooMany):
		return fmt.Sprintf("Maximum %d contents allowed per request", check.MaxItems), nil, true
	case errors.As(err, &input):
		return "Invalid input data", input.Issues, true
	default:
		return "", nil, false
	}
}

// IssueTexts returns the texts of issues in a response, which are at most [MaxIssues] and a
// remark that there are more. Each is formatted by the given function.
func IssueTexts(issues asset.Issues, format func(asset.Issue) string) []string {
	texts := make([]string, 0, min(len(issues), MaxIssues+1))
	for i, issue := range issues {
		if i == MaxIssues {
			return append(texts, "there are more issues, which are not listed")
		}
		texts = append(texts, format(issue))
	}
	return texts
}
