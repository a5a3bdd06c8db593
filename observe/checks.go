package observe

import (
	"context"

	"github.com/apguard/apguard/check"
)

// Checks returns a checker that observes the operations "check" and "check.batch". It returns the
// checker itself if there are no observers. A host application that sets the Checks of a Guard to a
// mirror wraps the mirror.
func Checks(checker check.Checker, by ...Observer) check.Checker {
	if len(by) == 0 {
		return checker
	}
	return checks{checker, by}
}

type checks struct {
	checker check.Checker
	by      observers
}

// Check implements [check.Checker].
func (c checks) Check(ctx context.Context, content string) (check.Verdict, error) {
	ctx, op := c.by.start(ctx, "check")
	defer op.end(ctx)
	verdict, err := c.checker.Check(ctx, content)
	op.outcome.countCheck(verdict.Status, verdict.Source, err)
	op.returned(err)
	return verdict, err
}

// CheckBatch implements [check.Checker].
func (c checks) CheckBatch(ctx context.Context, contents []string) ([]check.Result, error) {
	ctx, op := c.by.start(ctx, "check.batch")
	defer op.end(ctx)
	results, err := c.checker.CheckBatch(ctx, contents)
	for i := range results {
		op.outcome.countCheck(results[i].Status, results[i].Source, results[i].Err)
	}
	op.returned(err)
	return results, err
}
