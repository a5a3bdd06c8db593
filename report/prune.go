package report

import (
	"context"
	"time"

	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/step"
)

// pruneLimit is the maximum number of reports that a step of Prune examines.
const pruneLimit = 100

// Prune removes the CLOSED reports of the scope that were last updated before the given time,
// with their proposals and reviews. It returns the number of removed reports, even if it
// fails. Removed reports cannot be restored, and their reviews cannot be withdrawn any more.
// Assets and their statuses stay as they are.
//
// A report that was updated at exactly the given time is kept. The zero time removes nothing.
// Nothing is pruned unless the host application calls Prune. The error is an
// [*asset.InputError] if the scope is invalid.
//
// Prune works in atomic steps that examine at most 100 reports, so that other calls do not
// wait long. It may run concurrently with all other calls, including Prune. If it fails or the
// context ends, the next call removes the rest.
func (s *ReviewService) Prune(ctx context.Context, scope Scope, before time.Time) (removed int64, err error) {
	if err := scope.Validate(); err != nil {
		return 0, err
	}
	cmd := PruneCommand{Scope: scope, Before: before, Limit: pruneLimit}
	return step.Repeat(func() (int, bool, error) {
		pruned, err := s.store.PruneReports(ctx, cmd)
		cmd.After = pruned.Next
		return pruned.Removed, !pruned.Done, err
	})
}

// PruneCommand is one step of [ReviewService.Prune].
type PruneCommand struct {
	Scope Scope
	// Before is the time before which reports may be removed. It need not have whole
	// milliseconds.
	Before time.Time
	// After is the Next of the previous step, or 0 to start with the first report. The step
	// examines reports of the scope with larger IDs.
	After int64
	// Limit is the largest number of reports to examine. It is positive.
	Limit int
	// Audit is the entry of the step; see Entry.
	Audit audit.Entry
}

// Entry returns the entry to record after the step, which has removed that many reports. It is zero for
// none. Stores call it.
func (cmd PruneCommand) Entry(removed int) audit.Entry {
	if removed == 0 {
		return audit.Entry{}
	}
	return cmd.Audit
}

// Removes reports whether the step removes a report that it examines. Only its Status and
// UpdatedAt are needed.
func (cmd PruneCommand) Removes(r Report) bool {
	return r.Status == StatusClosed && r.UpdatedAt.Before(cmd.Before)
}
