package sqlstore_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage/internal/sqlstore"
)

func TestNewPlaces(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		connections, writers    int
		lists, searches, writes int
	}{
		"two are kept":                           {connections: 4, lists: 1, searches: 1, writes: 1},
		"a quarter is for searches":              {connections: 18, lists: 12, searches: 4, writes: 1},
		"those of writers come first":            {connections: 10, writers: 4, lists: 3, searches: 1, writes: 4},
		"a small pool has a place of each kind":  {connections: 3, writers: 1, lists: 1, searches: 1, writes: 1},
		"a single connection is for all of them": {connections: 1, lists: 1, searches: 1, writes: 1},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			places := sqlstore.NewPlaces(c.connections, c.writers)
			lists, searches, writes := places.Sizes()
			require.Equal(t, c.lists, lists, "lists")
			require.Equal(t, c.searches, searches, "searches")
			require.Equal(t, c.writes, writes, "writes")
		})
	}
}

func TestPlaces_Run(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	ended, cancel := context.WithCancel(ctx)
	cancel()
	none := func() error { return nil }
	for reason, places := range map[string]sqlstore.Places{
		"no limit for a pool without one": sqlstore.NewPlaces(0, 0),
		"no limit for the zero value":     {},
	} {
		require.NoError(t, places.Run(ended, sqlstore.Search, none), reason)
	}
	places := sqlstore.NewPlaces(1, 0)
	require.NoError(t, places.Run(ctx, sqlstore.Search, func() error {
		require.ErrorIs(t, places.Run(ended, sqlstore.Search, none), context.Canceled)
		require.NoError(t, places.Run(ended, sqlstore.Short, none), "short steps need no place")
		return places.Run(ctx, sqlstore.List, none)
	}), "other kinds have places of their own")
	require.NoError(t, places.Run(ctx, sqlstore.Search, none), "the place is free again")
}
