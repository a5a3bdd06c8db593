package observe

import (
	"context"

	"github.com/apguard/apguard/storage"
)

// Store returns a store that observes its operations. Each is one atomic step, including the time
// that it waits for others. A list that is read page by page has one operation a page. Store
// returns the store itself if there are no observers.
//
// Finding assets by their identities, or organizations and users by their IDs, is not observed, as it is
// a part of other operations, nor is what runs regularly without a caller, such as reading and publishing the feed and the work of a sender
// of webhooks.
func Store(store storage.Store, by ...Observer) storage.Store {
	if len(by) == 0 {
		return store
	}
	return observedStore{store, by}
}

// observedStore does not observe the methods that it inherits.
type observedStore struct {
	storage.Store
	by observers
}

// call observes a step with an argument and a result.
func call[A, T any](ctx context.Context, s observedStore, name string, call func(context.Context, A) (T, error), arg A) (T, error) {
	return get(ctx, s, name, func(ctx context.Context) (T, error) { return call(ctx, arg) })
}

// change is call for one that can record changes of status.
func change[A, T any](ctx context.Context, s observedStore, name string, call func(context.Context, A) (T, error), arg A) (T, error) {
	ctx, op := s.by.start(ctx, name)
	defer op.end(ctx)
	got, err := call(op.outcome.withCounter(ctx), arg)
	op.returned(err)
	return got, err
}

// get observes a step with any arguments and a result.
func get[T any](ctx context.Context, s observedStore, name string, call func(context.Context) (T, error)) (T, error) {
	ctx, op := s.by.start(ctx, name)
	defer op.end(ctx)
	got, err := call(ctx)
	op.returned(err)
	return got, err
}

// do observes a step without a result.
func (s observedStore) do(ctx context.Context, name string, call func(context.Context) error) error {
	_, err := get(ctx, s, name, func(ctx context.Context) (struct{}, error) { return struct{}{}, call(ctx) })
	return err
}

// Import implements [storage.Store].
func (s observedStore) Import(ctx context.Context, seed storage.Seed) error {
	return s.do(ctx, "import", func(ctx context.Context) error { return s.Store.Import(ctx, seed) })
}
