package asset

import (
	"context"
	"errors"

	"github.com/apguard/apguard/idempotency"
)

// ErrPending reports that a request changed nothing and became a pending act, which another operator can approve.
// The error is a *pending.Error with the act.
var ErrPending = errors.New("another operator must approve this")

// Brake holds back what a second operator must approve. Package pending has it. It must be safe for concurrent
// use.
type Brake interface {
	// HoldStatuses makes the command, which blocks protected assets, a pending act, and returns the error that has
	// the act. The protections have one for each item. A dry run stores nothing. The error is an [*InputError] if
	// the origin has no actor, and cmd.Refused or [ErrChanged] as for the command itself. For a request that is
	// sent again, it is an [*idempotency.ReplayError].
	HoldStatuses(ctx context.Context, cmd SetStatusesCommand, protections Protections, dryRun bool) error
	// Replay returns the error that has the pending act of a request that is sent again, or nil if its
	// answer names none.
	Replay(ctx context.Context, replay *idempotency.ReplayError) error
}

// Replayed returns the error of a request that is sent again and became a pending act. It is
// [idempotency.ErrReused] if the brake is nil: there are no pending acts any more.
func Replayed(ctx context.Context, brake Brake, replay *idempotency.ReplayError) error {
	if brake == nil {
		return idempotency.ErrReused
	}
	if err := brake.Replay(ctx, replay); err != nil {
		return err
	}
	return idempotency.ErrMalformedRecord
}

// splitHeld returns the items that are protected and those that are not.
func splitHeld(items []StatusItem, protections Protections) (held, rest []StatusItem) {
	for _, item := range items {
		if _, protected := protections[item.Identity]; protected && item.Status == StatusBlocked {
			held = append(held, item)
		} else {
			rest = append(rest, item)
		}
	}
	return held, rest
}
