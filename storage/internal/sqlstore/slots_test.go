package sqlstore_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/sqlstore"
)

func TestNewSlots(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		connections, writers    int
		lists, searches, writes int
	}{
		"two are kept":                           {connections: 4, lists: 1, searches: 1, writes: 1},
		"a quarter is for searches":              {connections: 18, lists: 12, searches: 4, writes: 1},
		"those of writers come first":            {connections: 10, writers: 4, lists: 3, searches: 1, writes: 4},
		"a small pool has a slot of each kind":   {connections: 3, writers: 1, lists: 1, searches: 1, writes: 1},
		"a single connection is for all of them": {connections: 1, lists: 1, searches: 1, writes: 1},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			slots := sqlstore.NewSlots(c.connections, c.writers)
			lists, searches, writes := slots.Sizes()
			require.Equal(t, c.lists, lists, "lists")
			require.Equal(t, c.searches, searches, "searches")
			require.Equal(t, c.writes, writes, "writes")
		})
	}
}

func TestSlots_Run(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	ended, cancel := context.WithCancel(ctx)
	cancel()
	none := func() error { return nil }
	for reason, slots := range map[string]sqlstore.Slots{
		"no limit for a pool without one": sqlstore.NewSlots(0, 0),
		"no limit for the zero value":     {},
	} {
		require.NoError(t, slots.Run(ctx, sqlstore.Search, func() error { return slots.Run(ended, sqlstore.Search, none) }), reason)
	}
	require.Panics(t, func() { _ = sqlstore.Slots{}.Run(ctx, 0, none) }, "a step needs a kind")
	slots := sqlstore.NewSlots(1, 0)
	require.NoError(t, slots.Run(ctx, sqlstore.Search, func() error {
		require.ErrorIs(t, slots.Run(ended, sqlstore.Search, none), context.Canceled)
		require.NoError(t, slots.Run(ended, sqlstore.Short, none), "short steps need no slot")
		return slots.Run(ctx, sqlstore.List, none)
	}), "other kinds have slots of their own")
	require.NoError(t, slots.Run(ctx, sqlstore.Search, none), "the slot is free again")
}

func TestSlots_Queues(t *testing.T) {
	t.Parallel()
	none := func() error { return nil }
	for reason, c := range map[string]struct {
		kind   sqlstore.Kind
		writes bool
	}{
		"lists read":         {sqlstore.List, false},
		"searches read":      {sqlstore.Search, false},
		"writes write":       {sqlstore.Write, true},
		"publications write": {sqlstore.Publish, true},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			slots := sqlstore.NewSlots(1, 1)
			queue := func() storage.Queue {
				own, other := slots.Queues()
				if c.writes {
					own, other = other, own
				}
				require.Zero(t, other, "the other queue")
				return own
			}
			leave, err := slots.Enter(t.Context(), c.kind)
			require.NoError(t, err)
			require.Zero(t, queue(), "a step that gets a slot at once does not wait")
			done := make(chan error)
			go func() { done <- slots.Run(t.Context(), c.kind, none) }()
			require.Eventually(t, func() bool { return queue().Waiting == 1 }, time.Minute, 100*time.Microsecond)
			ended, cancel := context.WithCancel(t.Context())
			cancel()
			require.ErrorIs(t, slots.Run(ended, c.kind, none), context.Canceled)
			require.Equal(t, 1, queue().Waiting, "a step that gave up waits no longer")
			leave()
			require.NoError(t, <-done)
			require.Zero(t, queue().Waiting)
			require.Positive(t, queue().Waited)
		})
	}
	reads, writes := sqlstore.Slots{}.Queues()
	require.Zero(t, reads, "no limit")
	require.Zero(t, writes, "no limit")
}
