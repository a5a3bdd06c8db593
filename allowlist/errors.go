package allowlist

import (
	"errors"
	"fmt"

	"github.com/apguard/apguard/account"
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

// ErrTooMany reports that a request has more than [MaxItems] items. The error is an
// [*asset.InputError].
var ErrTooMany = fmt.Errorf("more than %d assets", MaxItems)

// GroupNotFoundError has the first group of a request that the organization does
// not have. It matches [account.ErrGroupNotFound].
type GroupNotFoundError struct {
	GroupID int64
}

// Error returns a text with the group's ID.
func (e *GroupNotFoundError) Error() string {
	return fmt.Sprintf("group with ID %d not found", e.GroupID)
}

// Is reports whether target is [account.ErrGroupNotFound].
func (e *GroupNotFoundError) Is(target error) bool { return target == account.ErrGroupNotFound }
