package asset_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/memory"
)

func TestDecision_Ended(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		end, at time.Time
		want    bool
	}{
		"no end":         {time.Time{}, minutes(1), false},
		"before its end": {minutes(2), minutes(2).Add(-1), false},
		"at its end":     {minutes(2), minutes(2), true},
		"after its end":  {minutes(2), minutes(3), true},
	} {
		require.Equal(t, c.want, asset.Decision{ExpiresAt: c.end}.Ended(c.at), reason)
		require.Equal(t, c.want, asset.ListDecision{ExpiresAt: c.end}.Ended(c.at), reason)
	}
}

func TestService_ExpireDecisions(t *testing.T) {
	t.Parallel()
	now := noon
	store := memory.New()
	service := asset.NewService(store, asset.Options{Clock: func() time.Time { return now }})
	const all = asset.MaxItems + 1
	for _, n := range []int{asset.MaxItems, 1} {
		req := asset.SetStatusesRequest{Items: make([]asset.StatusItem, n)}
		for i := range req.Items {
			req.Items[i] = asset.StatusItem{Identity: url(fmt.Sprintf("%d-%d", n, i)), Status: asset.StatusBlocked, ExpiresAt: minutes(1)}
		}
		_, err := service.SetStatuses(t.Context(), req)
		require.NoError(t, err)
	}
	removed, err := service.ExpireDecisions(t.Context())
	require.NoError(t, err)
	require.Zero(t, removed)

	now = minutes(1)
	removed, err = service.ExpireDecisions(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, all, removed, "in two steps")
	page, err := service.ListChanges(t.Context(), asset.ListChangesRequest{Limit: 1})
	require.NoError(t, err)
	require.Equal(t, asset.Origin{Cause: asset.CauseExpiry}, page.Changes[0].Origin)
	require.Equal(t, minutes(1), page.Changes[0].At)
	require.Equal(t, asset.StatusUnknown, page.Changes[0].To)
}

func TestService_ExpireDecisions_error(t *testing.T) {
	t.Parallel()
	store := memory.New()
	require.NoError(t, store.Close())
	removed, err := asset.NewService(store, asset.Options{}).ExpireDecisions(t.Context())
	require.ErrorIs(t, err, asset.ErrUnavailable)
	require.Zero(t, removed)
}
