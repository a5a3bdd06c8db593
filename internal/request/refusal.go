package request

import (
	"errors"
	"fmt"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
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

// ItemMessage returns the message of a result of a batch add or a removal for its error, which is
// empty for none. It fails if the error has no message.
func ItemMessage(err error) (string, error) {
	switch {
	case err == nil:
		return "", nil
	case errors.Is(err, classify.ErrContentRequired):
		return "Content is required", nil
	case errors.Is(err, classify.ErrInvalidFormat):
		return "Invalid asset format", nil
	case errors.Is(err, allowlist.ErrInvalidGroupID):
		return "Invalid group ID", nil
	case errors.Is(err, allowlist.ErrInvalidExpiry):
		return "Invalid expiry", nil
	case errors.Is(err, allowlist.ErrExists):
		return "Asset already exists in organization", nil
	case errors.Is(err, allowlist.ErrNotListed):
		return "Asset not found in organization", nil
	case errors.Is(err, allowlist.ErrBlocked):
		return "Asset is blocked", nil
	default:
		return "", fmt.Errorf("unknown error of an allowlist item: %w", err)
	}
}
