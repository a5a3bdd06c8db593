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
	return observed(ctx, c.by, "check", func(ctx context.Context, outcome *Outcome) (check.Verdict, error) {
		verdict, err := c.checker.Check(ctx, content)
		outcome.countCheck(verdict.Status, verdict.Source, err)
		return verdict, err
	})
}

// CheckBatch implements [check.Checker].
func (c checks) CheckBatch(ctx context.Context, contents []string) ([]check.Result, error) {
	return observed(ctx, c.by, "check.batch", func(ctx context.Context, outcome *Outcome) ([]check.Result, error) {
		results, err := c.checker.CheckBatch(ctx, contents)
		for i := range results {
			outcome.countCheck(results[i].Status, results[i].Source, results[i].Err)
		}
		return results, err
	})
}
