package asset_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/memory"
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

func TestHistoryService_StatusAt_times(t *testing.T) {
	t.Parallel()
	store := memory.New()
	set := func(name string, status asset.Status, at time.Time) {
		clock := func() time.Time { return at }
		_, err := asset.NewService(store, asset.Options{Clock: clock}).SetStatus(t.Context(), asset.SetStatusRequest{Identity: url(name), Status: status})
		require.NoError(t, err)
	}
	set("a", asset.StatusBlocked, second(10))
	set("a", asset.StatusUnknown, second(10))
	set("a", asset.StatusBlocked, second(20))
	set("set back", asset.StatusBlocked, second(30))
	set("set back", asset.StatusAllowed, second(10))
	set("unchanged", asset.StatusUnknown, second(10))
	set("pruned", asset.StatusBlocked, second(1))
	set("pruned", asset.StatusAllowed, second(2))
	history := asset.NewHistoryService(store)
	_, err := history.Prune(t.Context(), second(3))
	require.NoError(t, err)
	for reason, c := range map[string]struct {
		name string
		at   time.Time
		want asset.Status
	}{
		"before the first change":                    {"a", second(10).Add(-1), asset.StatusUnknown},
		"the last change of that time":               {"a", second(10), asset.StatusUnknown},
		"between two changes":                        {"a", second(20).Add(-1), asset.StatusUnknown},
		"at the time of the last change":             {"a", second(20), asset.StatusBlocked},
		"in another time zone":                       {"a", second(20).In(time.FixedZone("", -9*3600)), asset.StatusBlocked},
		"after the last change":                      {"a", second(30), asset.StatusBlocked},
		"before the clock was set back":              {"set back", second(29), asset.StatusUnknown},
		"a change at the time of the one before it":  {"set back", second(30), asset.StatusAllowed},
		"no changes":                                 {"unchanged", second(0), asset.StatusUnknown},
		"before the first change that is not pruned": {"pruned", second(1), asset.StatusBlocked},
	} {
		got, err := history.StatusAt(t.Context(), url(c.name), c.at)
		require.NoError(t, err, reason)
		require.Equal(t, c.want, got, reason)
	}
}
