package asset_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
)

// followed returns the changes that Follow yields, and the cursor of the last.
func followed(t *testing.T, f fixture, after asset.FeedCursor) ([]asset.Change, asset.FeedCursor) {
	t.Helper()
	var changes []asset.Change
	for entry, err := range f.Follow(t.Context(), after) {
		require.NoError(t, err)
		changes = append(changes, entry.Change)
		after = entry.Cursor
	}
	return changes, after
}

// decided returns the changes of the changelog with the basis that they have in the feed if the operators gave no reason.
func decided(changes []asset.Change) []asset.Change {
	for i, c := range changes {
		changes[i].Basis = operators(c.To, c.At)
	}
	return changes
}

// operators returns the basis of a status that the operators gave without a reason.
func operators(status asset.Status, since time.Time) asset.Basis {
	return asset.Basis{By: asset.SourceOperator, Reason: asset.Reason("").For(status), Since: since}
}

func TestFeedService_Follow(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, asset.MaxLimit - 2, asset.MaxLimit - 1, 2*asset.MaxLimit + 5} {
		service := newHistory(t, n)
		changes, place := followed(t, service, asset.FeedCursor{})
		want := service.changes(t, asset.ChangeFilter{})
		slices.Reverse(want)
		require.Equal(t, decided(want), changes)

		again, same := followed(t, service, place)
		require.Empty(t, again)
		require.Equal(t, place, same)
		_, err := service.SetStatus(t.Context(), asset.SetStatusRequest{Identity: url("new"), Status: asset.StatusBlocked})
		require.NoError(t, err)
		again, _ = followed(t, service, place)
		require.Len(t, again, 1)
		require.Equal(t, "https://new.example", again[0].Content)
	}
}

func TestFeedService_Follow_AfterPruning(t *testing.T) {
	t.Parallel()
	service := newHistory(t, 20)
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

func TestFeedService_Follow_Break(t *testing.T) {
	t.Parallel()
	service := newHistory(t, 3)
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
	require.Equal(t, whole, got, "a follower that stops after each change")
}

func TestFeedService_Since_Limit(t *testing.T) {
	t.Parallel()
	service := newHistory(t, 3)
	for limit, ok := range map[int]bool{-1: false, 1: true, asset.MaxLimit: true, asset.MaxLimit + 1: false} {
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

func TestFeedService_Since_DefaultLimit(t *testing.T) {
	t.Parallel()
	page, err := newHistory(t, asset.DefaultLimit).Since(t.Context(), asset.FeedCursor{}, 0)
	require.NoError(t, err)
	require.Len(t, page, asset.DefaultLimit)
}

func TestFeedService_Follow_Error(t *testing.T) {
	t.Parallel()
	service := newHistory(t, asset.MaxLimit+10)
	refused := 0
	foreign := asset.Feed{Store: asset.StoreID{1}}.Cursor(1)
	for f, err := range service.Follow(t.Context(), foreign) {
		require.Equal(t, asset.FeedEntry{Cursor: foreign}, f, "the cursor to try again with")
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
	for f, err := range asset.NewFeedService(service.store).Follow(ctx, asset.FeedCursor{}) {
		require.NoError(t, failed, "nothing comes after an error")
		if failed = err; err == nil {
			got++
			place = f.Cursor
		} else {
			require.Equal(t, place, f.Cursor, "the cursor to try again with")
		}
		cancel()
	}
	require.ErrorIs(t, failed, context.Canceled)
	require.Equal(t, asset.MaxLimit, got, "the page that was read")
}

func TestFeedService_Follow_Twice(t *testing.T) {
	t.Parallel()
	service := newHistory(t, asset.MaxLimit+10)
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

func TestFeedService_End(t *testing.T) {
	t.Parallel()
	service := newHistory(t, 3)
	end, err := service.End(t.Context())
	require.NoError(t, err)
	_, last := followed(t, service, asset.FeedCursor{})
	require.Equal(t, last, end)
	_, err = service.SetStatus(t.Context(), asset.SetStatusRequest{Identity: url("new"), Status: asset.StatusBlocked})
	require.NoError(t, err)
	changes, _ := followed(t, service, end)
	require.Len(t, changes, 1)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	end, err = service.End(ctx)
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, end)
}
