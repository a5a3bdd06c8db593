package observe_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/observe"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/storage/storagetest"
)

// unobserved are the methods that are parts of other operations, that run regularly without a
// caller, and that are no operations.
func unobserved() []string {
	return []string{
		"AssetsByIdentity", "Close", "DisputeEvents", "DueEndpoints", "Feed", "LastAct", "LastDisputeEvent",
		"OrganizationsByID", "Ping", "PruneIdempotency", "PublishChanges", "RecordKeyUse", "Since", "UsersByID",
	}
}

func TestStore_EveryMethod(t *testing.T) {
	t.Parallel()
	var without []string
	for method := range reflect.TypeFor[storage.Store]().Methods() {
		seen := new(starts)
		store := reflect.ValueOf(observe.Store(brokenStore{}, seen))
		args := []reflect.Value{}
		for in := range method.Type.Ins() {
			args = append(args, argument(t, in))
		}
		// No method of the store is implemented, so every call panics.
		require.Panics(t, func() { store.MethodByName(method.Name).Call(args) }, method.Name)
		if len(*seen) == 0 {
			without = append(without, method.Name)
			continue
		}
		require.Len(t, *seen, 1, method.Name)
		require.Regexp(t, `^[a-z]+(\.[a-z_]+)?$`, (*seen)[0])
	}
	require.Equal(t, unobserved(), without)
}

// TestStore_Contract shows that the store does what the one in it does, and that every method that
// records changes counts them.
func TestStore_Contract(t *testing.T) {
	t.Parallel()
	storagetest.Run(t, func(*testing.T) storage.Store {
		return observe.Store(memory.New(), counters{})
	}, storagetest.Brief()...)
}

// counters is an observer that passes the changes of an outcome, and no others, to the
// ChangeCounter of the context.
type counters struct{}

type counterKey struct{}

func (counters) Start(ctx context.Context, _ string) context.Context {
	return storage.WithChangeCounter(context.WithValue(ctx, counterKey{}, storage.ChangeCounter(ctx)), nil)
}

func (counters) End(ctx context.Context, outcome observe.Outcome) {
	count, _ := ctx.Value(counterKey{}).(func(asset.Status, int))
	for _, change := range outcome.Changes {
		if count != nil {
			count(change.To, change.N)
		}
	}
}

// argument returns a zero argument, and an entry of the audit trail that is not zero.
func argument(t *testing.T, of reflect.Type) reflect.Value {
	t.Helper()
	switch of {
	case reflect.TypeFor[context.Context]():
		return reflect.ValueOf(t.Context())
	case reflect.TypeFor[audit.Entry]():
		return reflect.ValueOf(audit.Entry{ID: 1})
	default:
		return reflect.Zero(of)
	}
}

// starts are the names of operations that were started.
type starts []string

func (s *starts) Start(ctx context.Context, operation string) context.Context {
	*s = append(*s, operation)
	return ctx
}

func (s *starts) End(context.Context, observe.Outcome) {}

func TestStore_UpdatesOfSenders(t *testing.T) {
	t.Parallel()
	seen := new(starts)
	store := observe.Store(brokenStore{}, seen)
	require.Panics(t, func() { _, _ = store.UpdateEndpoint(t.Context(), 1, nil, audit.Entry{}) })
	require.Empty(t, *seen)
}

func TestStore_Result(t *testing.T) {
	t.Parallel()
	errDisk := errors.New("disk")
	_, err := observe.Store(brokenStore{err: errDisk}, new(starts)).DisputeBacklog(t.Context())
	require.Equal(t, errDisk, err)
}
