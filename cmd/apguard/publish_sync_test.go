package main

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/publish"
	"github.com/apguard/apguard/storage/memory"
)

// errorSource is a source that fails.
type errorSource struct {
	feed.Source
	err error
}

func (s errorSource) List(context.Context, int) (feed.List, error) { return feed.List{}, s.err }

func TestSyncWithin(t *testing.T) {
	t.Parallel()
	guard := apguard.New(memory.New(), apguard.Options{})
	source := feed.FromServices(guard.Assets, guard.Feed)
	replica := feed.NewReplica(source, feed.Options{})
	short, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	require.ErrorIs(t, syncWithin(replica, time.Nanosecond)(short), context.DeadlineExceeded, "it waits for lists that are not filled")

	require.NoError(t, replica.Refresh(t.Context()))
	require.ErrorIs(t, syncWithin(replica, time.Nanosecond)(t.Context()), publish.ErrUnpublished, "nothing reads the feed any more")

	away := errors.New("away")
	replica = feed.NewReplica(errorSource{source, away}, feed.Options{})
	require.ErrorIs(t, replica.Refresh(t.Context()), away)
	require.ErrorIs(t, syncWithin(replica, time.Nanosecond)(t.Context()), away, "the reason")
}
