package request

import (
	"errors"
	"fmt"
	"strings"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
)

// ItemMessage returns the message of an item of a batch for its error, which is empty for none. It fails
// if the error has no message.
func ItemMessage(err error) (string, error) {
	var input *asset.InputError
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
	case errors.Is(err, asset.ErrContradiction):
		return "Contradicts an earlier status of the same asset", nil
	case errors.Is(err, asset.ErrChanged):
		return "Changed in the meantime", nil
	case errors.Is(err, asset.ErrPending):
		return "Another operator must approve this", nil
	case errors.As(err, &input):
		return strings.Join(IssueTexts(input.Issues, asset.Issue.String), "; "), nil
	default:
		return "", fmt.Errorf("unknown error of an item: %w", err)
	}
}
