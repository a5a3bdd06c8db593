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

// holdBack makes the protected items of the batch a pending act, and refuses them with it.
func (s *Service) holdBack(ctx context.Context, batch Batch[StatusItem], cmd SetStatusesCommand, protections Protections, dryRun bool) (Batch[StatusItem], error) {
	holds := func(item StatusItem) bool {
		_, protected := protections[item.Identity]
		return protected && item.Status == StatusBlocked
	}
	for _, item := range batch.Unique {
		if holds(item) {
			cmd.Items = append(cmd.Items, item)
		}
	}
	if len(cmd.Items) == 0 {
		return batch, nil
	}
	err := s.brake.HoldStatuses(ctx, cmd, protections, dryRun)
	if !errors.Is(err, ErrPending) {
		return batch, err
	}
	return batch.without(holds, err), nil
}
