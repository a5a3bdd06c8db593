package follow_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/follow"
	"github.com/apguard/apguard/storage/memory"
)

// Changes that were published after the state was read are left for the next time.
func TestFeed(t *testing.T) {
	t.Parallel()
	store := memory.New()
	guard := apguard.New(store, apguard.Options{})
	block := func(content string) {
		_, err := guard.SetStatus(t.Context(), content, asset.StatusBlocked, asset.Origin{})
		require.NoError(t, err)
	}
	positions := func(feed asset.Feed, after asset.FeedCursor) (seen []int64) {
		for entry, err := range follow.Feed(t.Context(), guard.Feed, feed, after) {
			require.NoError(t, err)
			require.Equal(t, feed.Cursor(entry.Position), entry.Cursor)
			seen = append(seen, entry.Position)
		}
		return seen
	}
	block("https://a.example")
	block("https://b.example")
	before, err := guard.Feed.State(t.Context())
	require.NoError(t, err)
	block("https://c.example")
	after, err := guard.Feed.State(t.Context())
	require.NoError(t, err)
	require.Equal(t, []int64{1, 2}, positions(before, asset.FeedCursor{}))
	require.Equal(t, []int64{3}, positions(after, before.End()))
	require.Empty(t, positions(after, after.End()))
}

func TestFeed_error(t *testing.T) {
	t.Parallel()
	guard := apguard.New(memory.New(), apguard.Options{})
	feed := asset.Feed{Store: asset.StoreID{1}, Last: 5}
	for _, cursor := range []asset.FeedCursor{feed.Cursor(2), feed.Cursor(9)} {
		errs := 0
		for _, err := range follow.Feed(t.Context(), guard.Feed, feed, cursor) {
			require.ErrorIs(t, err, asset.ErrForeignCursor)
			errs++
		}
		require.Equal(t, 1, errs)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range follow.Feed(ctx, guard.Feed, feed, asset.FeedCursor{}) {
		require.ErrorIs(t, err, context.Canceled)
	}
}
