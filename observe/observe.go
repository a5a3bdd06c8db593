// Package observe tells observers of the operations of the service, for traces and metrics.
//
// [Store] and [Checks] wrap a store and a checker. apguard.New wraps its own with the Observers of
// its Options. Without observers nothing is wrapped.
//
// What observers learn has few values: names of operations, results, statuses, sources, reasons and
// numbers. It has no contents, texts, keys or IDs, so it can label metrics and leave the process.
package observe

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/storage"
)

// Observer observes operations. It is called concurrently. The operation waits for it, so it must
// be fast.
type Observer interface {
	// Start is called before an operation, such as "check" or "allowlist.add". It returns ctx or a
	// context derived from ctx, with which the operation runs. Names of operations are constants.
	Start(ctx context.Context, operation string) context.Context
	// End is called once after the operation, even if it panics, with the context that Start has
	// returned or one derived from it. It may keep the slices of the outcome, and must not change
	// them.
	End(ctx context.Context, outcome Outcome)
}

// Outcome says how an operation ended.
type Outcome struct {
	Operation string
	Result    Result
	// Verdicts counts the verdicts of a check.
	Verdicts []VerdictCount
	// Changes counts the changes of status that the operation has recorded. It is empty if the
	// result is UNKNOWN. With a store inside a transaction of the host application, they are not
	// committed yet.
	Changes []ChangeCount
	// Items counts the items of an addition to an allowlist or of a removal, unless they are a dry
	// run or a repetition with an idempotency key, and the contents of a check that have no
	// verdict.
	Items []ItemCount
}

// VerdictCount is a number of equal verdicts.
type VerdictCount struct {
	Status asset.Status
	Source check.Source
	N      int
}

// ChangeCount is a number of changes to the same status.
type ChangeCount struct {
	To asset.Status
	N  int
}

// ItemCount is a number of items with the same reason.
type ItemCount struct {
	Reason Reason
	N      int
}

// countCheck counts the result of a check, unless the whole check failed.
func (o *Outcome) countCheck(status asset.Status, source check.Source, err error) {
	if err != nil {
		if errors.As(err, new(*classify.Error)) {
			o.countItem(err)
		}
		return
	}
	for i := range o.Verdicts {
		if v := &o.Verdicts[i]; v.Status == status && v.Source == source {
			v.N++
			return
		}
	}
	o.Verdicts = append(o.Verdicts, VerdictCount{status, source, 1})
}

func (o *Outcome) countItem(err error) {
	reason := reasonOf(err)
	for i := range o.Items {
		if o.Items[i].Reason == reason {
			o.Items[i].N++
			return
		}
	}
	o.Items = append(o.Items, ItemCount{reason, 1})
}

// withCounter returns a context with which a step of a store adds its changes.
func (o *Outcome) withCounter(ctx context.Context) context.Context {
	return storage.WithChangeCounter(ctx, func(to asset.Status, n int) {
		o.Changes = append(o.Changes, ChangeCount{to, n})
	})
}

// observers are told of an operation in their order, and of its end in reverse order.
type observers []Observer

// operation is one that observers know of. Its outcome stays on the stack unless it counts something.
type operation struct {
	by      observers
	outcome Outcome
}

// start begins an operation, which runs with the context that start returns. The caller defers end.
func (by observers) start(ctx context.Context, name string) (context.Context, operation) {
	for _, o := range by {
		ctx = o.Start(ctx, name)
	}
	return ctx, operation{by, Outcome{Operation: name, Result: ResultFailed}} // if it panics
}

// returned says that the operation has not panicked.
func (o *operation) returned(err error) { o.outcome.Result = resultOf(err) }

func (o *operation) end(ctx context.Context) {
	slices.SortFunc(o.outcome.Changes, func(a, b ChangeCount) int { return cmp.Compare(a.To, b.To) })
	for _, by := range slices.Backward(o.by) {
		by.End(ctx, o.outcome)
	}
}
