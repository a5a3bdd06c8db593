package asset

import (
	"context"
	"time"
)

// PruneStep is what [Store.PruneChanges] carries out.
type PruneStep struct {
	// Before is the moment from which on changes stay. It may be any moment, as
	// the ends of a [Period] may. No change is older than the zero time.
	Before time.Time
	// After is the Next of the step before, or zero to begin with the oldest
	// change. It is a place on the way from the oldest change to the newest.
	After ChangeCursor
	// Limit is the largest number of changes to look at, from 1.
	Limit int
}

// Match reports whether c is one of the changes that the step looks at, but for
// its limit. Every store answers as this function does.
func (step PruneStep) Match(c Change) bool {
	after := step.After
	return c.At.Before(step.Before) &&
		(c.At.After(after.At) || c.At.Equal(after.At) && c.ID > after.ID)
}

// Pruned says what came of a [PruneStep].
type Pruned struct {
	// Removed is the number of changes that are gone.
	Removed int
	// Next is the place of the last change that the step looked at, removed or
	// not. It is the step's After when there was none.
	Next ChangeCursor
	// Done says that the step looked at fewer changes than its limit, so that
	// nothing is left to look at.
	Done bool
}

// Prune removes history: every change older than before that is not the latest
// change of its asset (by time, then ID). It returns how many it has removed,
// also with an error. What is removed is gone for good. The latest change of each
// asset stays however old it is, so that the changelog tells of every asset that
// ever had a change where its status comes from; assets and all else stay as they
// are. Where the clock was set back, the latest change is the one that the
// changelog shows first, and not the one that was recorded last. Nothing is pruned
// unless the host calls Prune.
//
// The moment may be of any time zone and finer than a millisecond; a change of
// exactly that moment stays. The zero time removes nothing, as no change is older.
// A time that is yet to come leaves each asset its latest change alone.
//
// Prune goes from the oldest change to the newest in steps of at most
// [MaxChangePage] changes, each of them stored by itself, so that nobody waits
// for long. It may run beside all other calls, also beside another Prune. When it
// fails or its context ends, what it has removed by then stays removed, and a
// later Prune removes the rest.
//
// The error is one of the storage or of the context.
func (s *Service) Prune(ctx context.Context, before time.Time) (removed int64, err error) {
	step := PruneStep{Before: before, Limit: MaxChangePage}
	for {
		pruned, err := s.store.PruneChanges(ctx, step)
		if err != nil {
			return removed, err
		}
		removed += int64(pruned.Removed)
		if pruned.Done {
			return removed, nil
		}
		step.After = pruned.Next
	}
}
