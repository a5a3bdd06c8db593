package trail_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/audit/trail"
	"github.com/apguard/apguard/storage/memory"
)

// newService returns a service on a store with as many entries, of which every third is of user 1.
func newService(t *testing.T, entries int) *trail.Service {
	t.Helper()
	store := memory.New()
	for n := range entries {
		act := audit.Entry{Actor: audit.Actor{UserID: int64(min(n%3, 1))}, Kind: audit.KindUser, Action: audit.ActionCreated}
		require.NoError(t, store.PutUser(t.Context(), account.User{ID: int64(n + 1)}, act))
	}
	return trail.NewService(store)
}

func TestService_List(t *testing.T) {
	t.Parallel()
	service := newService(t, trail.MaxLimit+1)
	page, err := service.List(t.Context(), trail.ListRequest{})
	require.NoError(t, err)
	require.Len(t, page.Items, trail.DefaultLimit)
	require.True(t, page.More)
	require.EqualValues(t, trail.MaxLimit+1, page.Items[0].ID, "the newest comes first")
	page, err = service.List(t.Context(), trail.ListRequest{Before: page.Last().ID, Limit: trail.MaxLimit})
	require.NoError(t, err)
	require.Len(t, page.Items, trail.MaxLimit+1-trail.DefaultLimit)
	require.False(t, page.More)
}

func TestListRequest_Validate(t *testing.T) {
	t.Parallel()
	service := newService(t, 0)
	for field, req := range map[string]trail.ListRequest{
		"kind":   {Filter: trail.Filter{Kind: "key"}},
		"userId": {Filter: trail.Filter{UserID: -1}},
		"cursor": {Before: -1},
		"limit":  {Limit: trail.MaxLimit + 1},
	} {
		_, err := service.List(t.Context(), req)
		var input *asset.InputError
		require.ErrorAs(t, err, &input, field)
		require.Len(t, input.Issues, 1)
		require.Equal(t, field, input.Issues[0].Field)
	}
}

func TestService_All(t *testing.T) {
	t.Parallel()
	service := newService(t, 3*asset.MaxLimit)
	var ids []int64
	for entry, err := range service.All(t.Context(), trail.Filter{UserID: 1}) {
		require.NoError(t, err)
		ids = append(ids, entry.ID)
	}
	require.Len(t, ids, 2*asset.MaxLimit)
	require.EqualValues(t, 2, ids[len(ids)-1], "the oldest comes last")

	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("ended"))
	for entry, err := range service.All(ctx, trail.Filter{}) {
		require.ErrorIs(t, err, context.Canceled)
		require.Zero(t, entry)
	}
}
