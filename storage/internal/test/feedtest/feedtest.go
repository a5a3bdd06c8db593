// Package feedtest has helpers for the tests of followers on all SQL stores.
package feedtest

import (
	"cmp"
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/internal/test/fixtures"
)

// Changes returns the number of changes that a test writes while it follows.
func Changes() int { return testsize.Of(400, 2000, 6000) }

// Until publishes changes and follows the feed from its start until done is closed and there are no
// more changes. It returns the entries and the number of calls. Pages have different sizes.
func Until(ctx context.Context, store asset.FeedStore, done <-chan struct{}) (got []asset.FeedEntry, polls int, err error) {
	var after asset.FeedCursor
	for ; ; polls++ {
		last := false
		select {
		case <-done:
			last = true
		default:
		}
		limit := 1 + polls*7%asset.MaxLimit
		if _, err := store.PublishChanges(ctx, limit); err != nil {
			return got, polls, err
		}
		page, err := store.Since(ctx, after, limit)
		if err != nil {
			return got, polls, err
		}
		got = append(got, page.Items...)
		if len(page.Items) > 0 {
			after = page.Last().Cursor
		} else if last {
			return got, polls, nil
		}
	}
}

// RequireAll requires that a follower received every change of the changelog once, and the
// changes of each asset in order.
func RequireAll(t *testing.T, store asset.Store, got []asset.FeedEntry) {
	t.Helper()
	status := make(map[int64]asset.Status)
	var changes []asset.Change
	for i, followed := range got {
		c := followed.Change
		require.Equal(t, cmp.Or(status[c.AssetID], asset.StatusUnknown), c.From, "change %d, which is number %d", c.ID, i)
		status[c.AssetID] = c.To
		if c.OfStatus() {
			c.Basis = asset.Basis{} // the changelog does not have it
			changes = append(changes, c)
		}
	}
	byID := func(a, b asset.Change) int { return cmp.Compare(a.ID, b.ID) }
	slices.SortFunc(changes, byID)
	var log []asset.Change
	for change, err := range asset.NewService(store, asset.Options{}).Changes(t.Context(), asset.ChangeFilter{}) {
		require.NoError(t, err)
		log = append(log, change)
	}
	slices.SortFunc(log, byID)
	require.Len(t, changes, len(log))
	for i := range log {
		require.Equal(t, log[i], changes[i])
	}
}

// TestCursors tests that a cursor is valid in one database only: after it is reopened, but not
// in another database, and not after it is restored from a backup that is older than the
// cursor. The databases are empty.
func TestCursors(t *testing.T, first, other storage.Store, reopen func() storage.Store, restore func()) {
	t.Helper()
	for _, store := range []storage.Store{first, other} {
		_, err := store.SetAssetStatuses(t.Context(), fixtures.BlockCommand("a"))
		require.NoError(t, err)
		require.NoError(t, asset.NewFeedService(store).Publish(t.Context()))
	}
	page, err := first.Since(t.Context(), asset.FeedCursor{}, 10)
	require.NoError(t, err)
	require.Len(t, page.Items, 1)
	after := page.Items[0].Cursor

	rest, err := reopen().Since(t.Context(), after, 10)
	require.NoError(t, err)
	require.Empty(t, rest.Items)
	_, err = other.Since(t.Context(), after, 10)
	require.ErrorIs(t, err, asset.ErrForeignCursor)
	restore()
	_, err = first.Since(t.Context(), after, 10)
	require.ErrorIs(t, err, asset.ErrFutureCursor)
}
