package asset_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
)

func TestHistoryService_StatusAt(t *testing.T) {
	t.Parallel()
	service := newHistory(t, 2)
	first, err := service.StatusAt(t.Context(), url("a"), second(1))
	require.NoError(t, err)
	before, err := service.StatusAt(t.Context(), url("a"), second(1).Add(-1))
	require.NoError(t, err)
	require.Equal(t, asset.StatusUnknown, before)
	require.NotEqual(t, before, first)

	for reason, identity := range map[string]asset.Identity{
		"unknown asset": url("unknown"),
		"unknown type":  {Type: "NONE", Canonical: "https://a.example"},
		"NUL":           {Type: asset.TypeURL, Canonical: "\x00"},
	} {
		status, err := service.StatusAt(t.Context(), identity, second(1))
		require.ErrorIs(t, err, asset.ErrNotFound, reason)
		require.Empty(t, status, reason)
	}
}

func TestStatusAt(t *testing.T) {
	t.Parallel()
	changes := []asset.Change{
		{From: asset.StatusAllowed, To: asset.StatusBlocked, At: second(10)},
		{From: asset.StatusBlocked, To: asset.StatusUnknown, At: second(10)},
		{From: asset.StatusUnknown, To: asset.StatusBlocked, At: second(20)},
	}
	for reason, c := range map[string]struct {
		changes []asset.Change
		at      time.Time
		want    asset.Status
	}{
		"before the first change":        {changes, second(10).Add(-1), asset.StatusAllowed},
		"the last change of that time":   {changes, second(10), asset.StatusUnknown},
		"between two changes":            {changes, second(20).Add(-1), asset.StatusUnknown},
		"at the time of the last change": {changes, second(20), asset.StatusBlocked},
		"after the last change":          {changes, second(30), asset.StatusBlocked},
		"no changes":                     {nil, second(0), asset.StatusAllowed},
	} {
		require.Equal(t, c.want, asset.StatusAt(asset.StatusAllowed, slices.Values(c.changes), c.at), reason)
	}
}
