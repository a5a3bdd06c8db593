package asset

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// BlockCount counts the blocks of operators that have one reason.
type BlockCount struct {
	Reason Reason
	// Blocks is the number of changes in a period for which [Change.IsBlock] is true.
	Blocks int
	// Lifted is the number of blocks that an accepted dispute has ended in the period; see [Change.Lifts]. Most of
	// them are older than the period.
	Lifted int
}

// IsBlock reports whether operators or reviewers have newly made an asset BLOCKED by the change. Imports, lists,
// and decisions that stand again because a later one was taken back, do not count.
func (c Change) IsBlock() bool {
	return c.OfStatus() && c.To == StatusBlocked && c.By == SourceOperator && (c.Origin.Cause == CauseManual || c.Origin.Cause == CauseReview)
}

// Lifts reports whether the change is that of an accepted dispute and ends a block of operators or reviewers. The
// previous change of the asset, whether of its status or only of its basis, has the reason of the block.
func (c Change) Lifts(previous Change) bool {
	return c.OfStatus() && c.From == StatusBlocked && c.Origin.Cause == CauseDispute &&
		previous.By == SourceOperator && previous.Origin.Cause.ByOperators()
}

// CountBlocks counts the blocks of operators in a period, and those that accepted disputes have ended in it, by the
// reason of the block. The reasons are in the order of [Reasons]; those without any are left out. Changes that were
// pruned do not count. The error is an [*InputError] if the period is backwards.
func (s *HistoryService) CountBlocks(ctx context.Context, period Period) ([]BlockCount, error) {
	var issues Issues
	issues.Check(!period.Backwards(), "period", "must not be backwards")
	if err := issues.Err(); err != nil {
		return nil, err
	}
	counts, err := s.store.CountBlocks(ctx, period)
	slices.SortFunc(counts, func(a, b BlockCount) int {
		return cmp.Compare(slices.Index(reasons[:], a.Reason), slices.Index(reasons[:], b.Reason))
	})
	return counts, err
}

// DueCount says how many decisions of the operators are to be looked at again.
type DueCount struct {
	// Total is the number of decisions with a ReviewAt.
	Total int
	// Overdue is the number of those whose ReviewAt is not after the present time. [Service.Due] lists them.
	Overdue int
}

// CountDue counts the decisions that are due for review.
func (s *Service) CountDue(ctx context.Context) (DueCount, error) {
	return s.store.CountDue(ctx, s.clock())
}

// Add counts a decision with that ReviewAt at a time. Stores call it.
func (c *DueCount) Add(reviewAt, at time.Time) {
	if reviewAt.IsZero() {
		return
	}
	c.Total++
	if !reviewAt.After(at) {
		c.Overdue++
	}
}
