package dispute

import (
	"context"
	"time"

	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/step"
)

// Prune removes the closed disputes that were last updated before the given time, with their
// notes. It returns the number of removed disputes, even if it fails. Removed disputes cannot
// be restored. Their e-mail addresses may dispute the same assets again.
//
// A dispute that was updated at exactly the given time is kept. The zero time removes nothing.
// Nothing is pruned unless the host application calls Prune.
//
// Prune works in atomic steps that examine at most [MaxLimit] disputes, so that other calls
// do not wait long. It may run concurrently with all other calls, including Prune. If it fails
// or the context ends, the next call removes the rest.
func (s *QueueService) Prune(ctx context.Context, before time.Time) (removed int64, err error) {
	cmd := PruneCommand{Before: before, Limit: MaxLimit}
	return step.Repeat(func() (int, bool, error) {
		pruned, err := s.store.PruneDisputes(ctx, cmd)
		cmd.After = pruned.Next
		return pruned.Removed, !pruned.Done, err
	})
}

// PruneCommand is one step of [QueueService.Prune].
type PruneCommand struct {
	// Before is the time before which disputes may be removed. It need not have whole
	// milliseconds.
	Before time.Time
	// After is the Next of the previous step, or 0 to start with the first dispute. The step
	// examines disputes with larger IDs.
	After int64
	// Limit is the largest number of disputes to examine. It is positive.
	Limit int
	// Audit is the entry of the step; see Entry.
	Audit audit.Entry
}

// Entry returns the entry to record after the step, which has removed that many disputes. It is zero for
// none. Stores call it.
func (cmd PruneCommand) Entry(removed int) audit.Entry {
	if removed == 0 {
		return audit.Entry{}
	}
	return cmd.Audit
}

// Removes reports whether the step removes a dispute that it examines. Only its State and
// UpdatedAt are needed.
func (cmd PruneCommand) Removes(d Dispute) bool {
	return d.State.Closed() && d.UpdatedAt.Before(cmd.Before)
}
