// Package feedtest is what tests of followers on several stores have in common.
package feedtest

import (
	"cmp"
	"context"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
)

// changesVariable sets how many changes are written while somebody follows. With
// 100000 a test takes minutes.
const changesVariable = "APGUARD_TEST_CHANGES"

// fewChanges is how many there are without the variable.
const fewChanges = 4000

// Changes returns how many changes a test is to write while somebody follows.
func Changes() int {
	if n, err := strconv.Atoi(os.Getenv(changesVariable)); err == nil {
		return n
	}
	return fewChanges
}

// Until follows the feed from its beginning until nothing is left after done was
// closed, and returns what came and how often it asked. Pages have different sizes.
func Until(ctx context.Context, store asset.FeedStore, done <-chan struct{}) (got []asset.FeedEntry, polls int, err error) {
	var after asset.FeedCursor
	for ; ; polls++ {
		last := false
		select {
		case <-done:
			last = true
		default:
		}
		page, err := store.Since(ctx, after, 1+polls*7%asset.MaxLimit)
		if err != nil {
			return got, polls, err
		}
		got = append(got, page...)
		if len(page) > 0 {
			after = page[len(page)-1].Cursor
		} else if last {
			return got, polls, nil
		}
	}
}

// RequireAll demands that what a follower got are the changes of the whole changelog,
// each once, and those of each asset in the order in which its status went.
func RequireAll(t *testing.T, store asset.Store, got []asset.FeedEntry) {
	t.Helper()
	status := make(map[int64]asset.Status)
	changes := make([]asset.Change, len(got))
	for i, followed := range got {
		c := followed.Change
		require.Equal(t, cmp.Or(status[c.AssetID], asset.StatusUnknown), c.From, "change %d, which is number %d", c.ID, i)
		status[c.AssetID] = c.To
		changes[i] = c
	}
	byID := func(a, b asset.Change) int { return cmp.Compare(a.ID, b.ID) }
	slices.SortFunc(changes, byID)
	log, err := store.Changes(t.Context(), asset.ChangeFilter{}, asset.ChangeCursor{}, 2*len(got)+1)
	require.NoError(t, err)
	slices.SortFunc(log, byID)
	require.Len(t, changes, len(log))
	for i := range log {
		require.Equal(t, log[i], changes[i])
	}
}

// RequirePast demands that a thousand assets, at moments about one of their changes,
// had the status that a replay of what a follower got tells.
func RequirePast(t *testing.T, store asset.HistoryStore, got []asset.FeedEntry) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same ones each time
	for range 1000 {
		near := got[random.IntN(len(got))].Change
		moment := near.At.Add(time.Duration(random.IntN(5)-2) * time.Millisecond)
		statuses, err := store.StatusesAt(t.Context(), []int64{near.AssetID}, moment)
		require.NoError(t, err)
		require.Equal(t, replay(got, near.AssetID, moment), statuses[near.AssetID], "asset %d at %v", near.AssetID, moment)
	}
}

// replay returns the status that an asset had at a moment: the To of the last change up
// to then, in the order of the changelog, or else the From of the first one.
func replay(got []asset.FeedEntry, assetID int64, moment time.Time) asset.Status {
	var log []asset.Change
	for _, followed := range got {
		if followed.Change.AssetID == assetID {
			log = append(log, followed.Change)
		}
	}
	slices.SortFunc(log, func(a, b asset.Change) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID)) })
	status := log[0].From
	for _, c := range log {
		if !c.At.After(moment) {
			status = c.To
		}
	}
	return status
}
