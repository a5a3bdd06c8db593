package observe

import (
	"errors"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/classify"
)

// Reason says why an item is refused. It is one of the constants or a [classify.Reason].
type Reason string

// The reasons in addition to those of package classify.
const (
	// ReasonNone is the reason of an item that is accepted.
	ReasonNone Reason = "NONE"
	// ReasonExists means that the allowlist already contains the asset.
	ReasonExists Reason = "EXISTS"
	// ReasonBlocked means that the asset or a cover of it is BLOCKED.
	ReasonBlocked Reason = "BLOCKED"
	// ReasonNotListed means that the allowlist does not contain the asset.
	ReasonNotListed Reason = "NOT_LISTED"
	// ReasonInvalidGroupID and ReasonInvalidExpiry are for invalid fields of an item.
	ReasonInvalidGroupID Reason = "INVALID_GROUP_ID"
	ReasonInvalidExpiry  Reason = "INVALID_EXPIRY"
	// ReasonOther is any other reason.
	ReasonOther Reason = "OTHER"
)

// reasonOf returns the reason of the Err of a result.
func reasonOf(err error) Reason {
	if err == nil {
		return ReasonNone
	}
	var refused *classify.Error
	switch {
	case errors.Is(err, allowlist.ErrExists):
		return ReasonExists
	case errors.Is(err, allowlist.ErrBlocked):
		return ReasonBlocked
	case errors.Is(err, allowlist.ErrNotListed):
		return ReasonNotListed
	case errors.Is(err, allowlist.ErrInvalidGroupID):
		return ReasonInvalidGroupID
	case errors.Is(err, allowlist.ErrInvalidExpiry):
		return ReasonInvalidExpiry
	case errors.As(err, &refused):
		return Reason(refused.Reason)
	default:
		return ReasonOther
	}
}
