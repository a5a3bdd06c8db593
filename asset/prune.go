package asset

import (
	"context"
	"iter"
	"time"

	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/step"
)

// Prune removes all changes before the given time, except for the latest change of each
// asset. It returns the number of removed changes, even if it fails. Assets and their
// statuses stay as they are. Removed changes cannot be restored.
//
// The latest change is the one that the changelog shows first; see [Change.Compare]. It
// is kept regardless of its age, so that every status that ever changed can be explained. A later
// change of the basis alone, which only the feed has, is kept too if it is the latest.
//
// A change at exactly the given time is kept. The zero time removes nothing. With a time
// in the future, only the latest change of each asset is kept. Nothing is pruned unless
// the host application calls Prune.
//
// Prune works in atomic steps of at most [MaxLimit] changes, oldest first, so that other
// calls do not wait long. It may run concurrently with all other calls, including Prune.
// If it fails or the context ends, the changes that it has removed are not restored. The
// next call removes the rest.
func (s *HistoryService) Prune(ctx context.Context, before time.Time) (removed int64, err error) {
	cmd := PruneCommand{Before: before, Limit: MaxLimit}
	return step.Repeat(func() (int, bool, error) {
		pruned, err := s.store.PruneChanges(ctx, cmd)
		cmd.After = pruned.Next
		return pruned.Removed, !pruned.Done, err
	})
}

// PruneCommand is one step of [HistoryService.Prune].
type PruneCommand struct {
	// Before is the time before which changes may be removed. Changes at or after it are
	// kept. It need not have whole milliseconds. The zero time selects no change.
	Before time.Time
	// After is the Next of the previous step, or zero to start with the oldest change.
	// The step reads on from there toward the newest change.
	After ChangeCursor
	// Limit is the largest number of changes to examine. It is positive.
	Limit int
	// Audit is the entry of the step; see Entry.
	Audit audit.Entry
}

// Entry returns the entry to record after the step, which has removed that many changes. It is zero for
// none. Stores call it.
func (cmd PruneCommand) Entry(removed int) audit.Entry {
	if removed == 0 {
		return audit.Entry{}
	}
	return cmd.Audit
}

// Match reports whether the step examines the change, regardless of the limit.
func (cmd PruneCommand) Match(c Change) bool {
	return c.At.Before(cmd.Before) && c.Compare(cmd.After.change()) > 0
}

// Removes reports whether the step removes c. The other changes are all those of the same asset: c goes if
// one of them is newer, as [Change.Compare] orders them, and is a change of the status unless c is none.
func (cmd PruneCommand) Removes(c Change, others iter.Seq[Change]) bool {
	if !cmd.Match(c) {
		return false
	}
	for other := range others {
		if c.Compare(other) < 0 && (other.OfStatus() || !c.OfStatus()) {
			return true
		}
	}
	return false
}
