package asset

import (
	"context"
	"time"
)

// Prune removes every change older than before, except for the latest change of each
// asset. It returns how many changes it removed, even if it fails. Assets and their
// statuses stay as they are. Removed changes cannot be restored.
//
// The latest change is the one that the changelog shows first; see [Change.Compare]. It
// stays however old it is, so that every status that ever changed can be explained.
//
// A change at exactly the given time stays. The zero time removes nothing. A time in the
// future leaves each asset only its latest change. Nothing is pruned unless the host
// application calls Prune.
//
// Prune works in atomic steps of at most [MaxLimit] changes, oldest first, so that other
// calls do not wait long. It may run concurrently with all other calls, including Prune.
// If it fails or the context ends, the changes that it removed stay removed, and the
// next call removes the rest.
func (s *HistoryService) Prune(ctx context.Context, before time.Time) (removed int64, err error) {
	cmd := PruneCommand{Before: before, Limit: MaxLimit}
	for {
		result, err := s.store.PruneChanges(ctx, cmd)
		if err != nil {
			return removed, err
		}
		removed += int64(result.Removed)
		if result.Done {
			return removed, nil
		}
		cmd.After = result.Next
	}
}

// PruneCommand is one step of [HistoryService.Prune].
type PruneCommand struct {
	// Before is the time from which on changes stay. It need not have whole milliseconds.
	// No change is older than the zero time.
	Before time.Time
	// After is the Next of the previous step, or zero to start with the oldest change. It
	// is a position in the direction from the oldest change to the newest.
	After ChangeCursor
	// Limit is the largest number of changes to look at. It is positive.
	Limit int
}

// Match reports whether the step looks at the change, regardless of its limit.
func (cmd PruneCommand) Match(c Change) bool {
	return c.At.Before(cmd.Before) && c.Compare(cmd.After.change()) > 0
}

// Removes reports whether the step removes the change. It takes the latest change of the
// same asset, as [Change.Compare] orders them, among all changes of the asset.
func (cmd PruneCommand) Removes(c, latest Change) bool {
	return cmd.Match(c) && c.Compare(latest) < 0
}

// PruneResult is the result of a [PruneCommand].
type PruneResult struct {
	// Removed is the number of removed changes.
	Removed int
	// Next is the position of the last change that the step looked at, removed or not. It
	// is the command's After if there was none.
	Next ChangeCursor
	// Done is true if the step looked at fewer changes than its limit.
	Done bool
}
