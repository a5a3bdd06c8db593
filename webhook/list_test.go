package webhook_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/webhook"
)

func TestService_List(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for range webhook.DefaultLimit + 1 {
		f.create()
	}
	page, err := f.List(t.Context(), webhook.ListRequest{})
	require.NoError(t, err)
	require.Len(t, page.Items, webhook.DefaultLimit)
	require.True(t, page.More)
	page, err = f.List(t.Context(), webhook.ListRequest{After: page.Last().ID, Limit: webhook.MaxLimit})
	require.NoError(t, err)
	require.Len(t, page.Items, 1)
	require.False(t, page.More)
	require.True(t, page.Items[0].Secret.IsZero())
	for _, limit := range []int{-1, webhook.MaxLimit + 1} {
		_, err = f.List(t.Context(), webhook.ListRequest{Limit: limit})
		require.ErrorIs(t, err, asset.ErrInvalid)
	}
}
