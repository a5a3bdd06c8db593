package asset_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
)

// followed returns the changes that Follow yields, and the place behind the last.
func followed(t *testing.T, service *asset.Service, after asset.FeedCursor) ([]asset.Change, asset.FeedCursor) {
	t.Helper()
	var changes []asset.Change
	for f, err := range service.Follow(t.Context(), after) {
		require.NoError(t, err)
		changes = append(changes, f.Change)
		after = f.Cursor
	}
	return changes, after
}

func TestFollowYieldsWhatIsNew(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, asset.MaxChangePage - 2, asset.MaxChangePage - 1, 2*asset.MaxChangePage + 5} {
		service, _ := history(t, n)
		changes, place := followed(t, service, asset.FeedCursor{})
		var want []asset.Change
		for change, err := range service.Changes(t.Context(), asset.ChangeFilter{}) {
			require.NoError(t, err)
			want = append([]asset.Change{change}, want...)
		}
		require.Equal(t, want, changes)

		again, same := followed(t, service, place)
		require.Empty(t, again)
		require.Equal(t, place, same)
		_, err := service.SetStatus(t.Context(), asset.StatusRequest{Identity: url("new"), Status: asset.StatusBlocked})
		require.NoError(t, err)
		again, _ = followed(t, service, place)
		require.Len(t, again, 1)
		require.Equal(t, "https://new.example", again[0].Content)
	}
}

func TestAFollowerThatBeginsAfterPruningEndsWithTheStatuses(t *testing.T) {
	t.Parallel()
	service, _ := history(t, 20)
	_, err := service.Prune(t.Context(), day(2026, 1, 1))
	require.NoError(t, err)
	changes, _ := followed(t, service, asset.FeedCursor{})
	require.Len(t, changes, 3)
	for i, name := range []string{"a", "b", "c"} {
		got, err := service.Get(t.Context(), url(name))
		require.NoError(t, err)
		require.Equal(t, got.Status, changes[i].To)
	}
}

func TestFollowGoesOnAfterABreak(t *testing.T) {
	t.Parallel()
	service, _ := history(t, 3)
	whole, _ := followed(t, service, asset.FeedCursor{})
	var (
		got   []asset.Change
		place asset.FeedCursor
	)
	for range whole {
		for f, err := range service.Follow(t.Context(), place) {
			require.NoError(t, err)
			got = append(got, f.Change)
			place = f.Cursor
			break
		}
	}
	require.Equal(t, whole, got, "a follower that is stopped after each change")
}

func TestTheLimitOfSince(t *testing.T) {
	t.Parallel()
	service, _ := history(t, 3)
	for limit, ok := range map[int]bool{-1: false, 0: false, 1: true, asset.MaxChangePage: true, asset.MaxChangePage + 1: false} {
		page, err := service.Since(t.Context(), asset.FeedCursor{}, limit)
		if ok {
			require.NoError(t, err)
			require.Len(t, page, min(limit, 5))
			continue
		}
		var input *asset.InputError
		require.ErrorAs(t, err, &input)
		require.Equal(t, "limit", input.Issues[0].Field)
	}
}

func TestFollowYieldsAnErrorOnceAndLast(t *testing.T) {
	t.Parallel()
	service, store := history(t, asset.MaxChangePage+10)
	refused := 0
	foreign := asset.Feed{Store: asset.StoreID{1}}.Cursor(1)
	for f, err := range service.Follow(t.Context(), foreign) {
		require.Equal(t, asset.Followed{Cursor: foreign}, f, "the place from which to try again")
		require.ErrorIs(t, err, asset.ErrForeignCursor)
		refused++
	}
	require.Equal(t, 1, refused)

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	got := 0
	var (
		failed error
		place  asset.FeedCursor
	)
	for f, err := range asset.NewService(store, asset.Options{}).Follow(ctx, asset.FeedCursor{}) {
		require.NoError(t, failed, "nothing comes after an error")
		if failed = err; err == nil {
			got++
			place = f.Cursor
		} else {
			require.Equal(t, place, f.Cursor, "the place from which to try again")
		}
		cancel()
	}
	require.ErrorIs(t, failed, context.Canceled)
	require.Equal(t, asset.MaxChangePage, got, "the page that was read")
}

func TestFollowCanBeRangedOverAgain(t *testing.T) {
	t.Parallel()
	service, _ := history(t, asset.MaxChangePage+10)
	follow := service.Follow(t.Context(), asset.FeedCursor{})
	whole, _ := followed(t, service, asset.FeedCursor{})
	for range 2 {
		count := 0
		for _, err := range follow {
			require.NoError(t, err)
			count++
		}
		require.Len(t, whole, count)
	}
}

func TestFeedEnd(t *testing.T) {
	t.Parallel()
	service, _ := history(t, 3)
	end, err := service.FeedEnd(t.Context())
	require.NoError(t, err)
	_, last := followed(t, service, asset.FeedCursor{})
	require.Equal(t, last, end)
	_, err = service.SetStatus(t.Context(), asset.StatusRequest{Identity: url("new"), Status: asset.StatusBlocked})
	require.NoError(t, err)
	changes, _ := followed(t, service, end)
	require.Len(t, changes, 1)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	end, err = service.FeedEnd(ctx)
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, end)
}
