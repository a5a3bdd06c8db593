package allowlist

import (
	"errors"
	"fmt"
)

// The reasons to refuse one item, for errors.Is on the Err of a [Result], besides the errors of
// [classify.Classify].
var (
	// ErrInvalidGroupID reports that the GroupID is negative or above [asset.MaxID].
	ErrInvalidGroupID = errors.New("invalid group ID")
	// ErrInvalidExpiry reports that the ExpiresAt is not in the future, or after year 9999.
	ErrInvalidExpiry = errors.New("invalid expiry")
	// ErrExists reports that the organization's allowlist already contains the asset,
	// or an earlier item of the same request added it.
	ErrExists = errors.New("asset already exists in organization")
	// ErrBlocked reports that the asset or a cover of it is BLOCKED, and RefuseBlocked of
	// [Options] or of the [Item] is set.
	ErrBlocked = errors.New("asset is blocked")
)

// ErrNotListed reports that the organization's allowlist does not contain an asset. It is
// the Err of a [RemoveResult], and the error of [Service.SetExpiry].
var ErrNotListed = errors.New("asset not found in organization")

// The errors of [Service.Add] that refuse a whole request, in addition to an
// [*asset.InputError] for other invalid input. Any other error comes from the
// store or the context.
var (
	// ErrTooMany reports that the request has more than [MaxItems] items. The error is
	// an [*asset.InputError].
	ErrTooMany = fmt.Errorf("more than %d assets", MaxItems)
	// ErrGroupNotFound reports that the organization does not have one of the groups.
	// The error is a [*GroupNotFoundError].
	ErrGroupNotFound = errors.New("group not found")
)

// GroupNotFoundError has the first group of a request that the organization does
// not have. It matches [ErrGroupNotFound].
type GroupNotFoundError struct {
	GroupID int64
}

// Error returns a text with the group's ID.
func (e *GroupNotFoundError) Error() string {
	return fmt.Sprintf("group with ID %d not found", e.GroupID)
}

// Is reports whether target is [ErrGroupNotFound].
func (e *GroupNotFoundError) Is(target error) bool { return target == ErrGroupNotFound }
