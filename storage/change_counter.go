package storage

import (
	"context"

	"github.com/apguard/apguard/asset"
)

type changeCounterKey struct{}

// WithChangeCounter returns a context with which a store reports the changes that a step has
// recorded. Once the step is done, and before its method returns, the store calls count with each
// new status and the number of changes to it, from the goroutine that called the method.
func WithChangeCounter(ctx context.Context, count func(to asset.Status, n int)) context.Context {
	return context.WithValue(ctx, changeCounterKey{}, count)
}

// ChangeCounter returns the function of [WithChangeCounter], or nil. Stores call it.
func ChangeCounter(ctx context.Context) func(to asset.Status, n int) {
	count, _ := ctx.Value(changeCounterKey{}).(func(to asset.Status, n int))
	return count
}
