package allowlist

import (
	"errors"
	"fmt"

	"github.com/apguard/apguard/asset"
)

// Why a single asset was not added, for errors.Is on [Result].Err.
var (
	// ErrContentRequired: the content is blank.
	ErrContentRequired = errors.New("content is required")
	// ErrInvalidFormat: the content is of no type that the service recognizes.
	ErrInvalidFormat = errors.New("invalid asset format")
	// ErrInvalidGroupID: the group ID cannot be the identifier of a group.
	ErrInvalidGroupID = errors.New("invalid group ID")
	// ErrExists: the asset is on the organization's allowlist already, or came
	// earlier in the same request.
	ErrExists = errors.New("asset already exists in organization")
	// ErrBlocked: the asset is BLOCKED, and [Options].RefuseBlocked is set.
	ErrBlocked = errors.New("asset is blocked")
)

// Why a whole request was refused, for errors.Is. An error of [Service.Add] that
// matches none of these and is no [*asset.InputError] is a failure of the
// storage or of the context.
var (
	// ErrTooMany: there are more than [MaxItems] items. It also matches
	// [asset.ErrInvalid].
	ErrTooMany = fmt.Errorf("%w: more than %d assets", asset.ErrInvalid, MaxItems)
	// ErrGroupNotFound: the organization has no such group. A
	// [*GroupNotFoundError] says which.
	ErrGroupNotFound = errors.New("group not found")
)

// GroupNotFoundError names the first group of a request that the organization
// does not have. It matches [ErrGroupNotFound].
type GroupNotFoundError struct {
	GroupID int64
}

// Error names the group.
func (e *GroupNotFoundError) Error() string {
	return fmt.Sprintf("group with ID %d not found", e.GroupID)
}

// Is makes the error match [ErrGroupNotFound].
func (e *GroupNotFoundError) Is(target error) bool { return target == ErrGroupNotFound }
