package asset_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
)

func TestService_Due(t *testing.T) {
	t.Parallel()
	f := newFixture()
	set := func(name string, review time.Time) {
		_, err := f.SetStatus(t.Context(), asset.SetStatusRequest{Identity: url(name), Status: asset.StatusBlocked, ReviewAt: review})
		require.NoError(t, err)
	}
	due := func(req asset.DueRequest) (names []string, next asset.DueCursor) {
		page, err := f.Due(t.Context(), req)
		require.NoError(t, err)
		for _, one := range page.Due {
			require.Equal(t, asset.DueCursor{At: one.Decision.ReviewAt, ID: one.ID}, one.Cursor())
			names = append(names, one.Canonical)
		}
		return names, page.NextCursor
	}
	set("late", second(60))
	set("first", second(5))
	set("never", time.Time{})
	set("second", second(6)) // the fourth call
	names, next := due(asset.DueRequest{})
	require.Equal(t, []string{"https://first.example"}, names, "at the fifth second, what is due now")
	require.Zero(t, next)
	names, next = due(asset.DueRequest{Before: second(60), Limit: 2})
	require.Equal(t, []string{"https://first.example", "https://second.example"}, names)
	names, next = due(asset.DueRequest{Before: second(60), Limit: 2, Cursor: next})
	require.Equal(t, []string{"https://late.example"}, names)
	require.Zero(t, next)

	set("first", time.Time{})
	set("second", second(70))
	names, _ = due(asset.DueRequest{})
	require.Empty(t, names, "another review, and none, take it out of the list")

	var input *asset.InputError
	_, err := f.Due(t.Context(), asset.DueRequest{Limit: asset.MaxLimit + 1})
	require.ErrorAs(t, err, &input)
	require.Equal(t, "limit", input.Issues[0].Field)
}
