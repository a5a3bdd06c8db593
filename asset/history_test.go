package asset_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/memory"
)

var errBroken = errors.New("broken")

// broken is a store whose StatusesAt fails.
type broken struct{ *memory.Store }

func (broken) StatusesAt(context.Context, []int64, time.Time) (map[int64]asset.Status, error) {
	return nil, errBroken
}

// numbered returns the identity of the n-th of many assets.
func numbered(n int) asset.Identity { return url(strconv.Itoa(n)) }

// differences returns what Diff yields.
func differences(t *testing.T, f fixture, from, to time.Time) []asset.Difference {
	t.Helper()
	var all []asset.Difference
	for d, err := range f.Diff(t.Context(), from, to) {
		require.NoError(t, err)
		all = append(all, d)
	}
	return all
}

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

func TestHistoryService_Diff(t *testing.T) {
	t.Parallel()
	const assets = 2*asset.MaxLimit + 50
	service := newFixture()
	var ends [2]time.Time
	for i, status := range []asset.Status{asset.StatusBlocked, asset.StatusAllowed} {
		for n := range assets {
			_, err := service.SetStatus(t.Context(), asset.SetStatusRequest{Identity: numbered(n), Status: status})
			require.NoError(t, err)
		}
		ends[i] = service.changes(t, asset.ChangeFilter{})[0].At
	}
	for name, test := range map[string]struct {
		since time.Time
		from  asset.Status
	}{
		"over all":             {time.Time{}, asset.StatusUnknown},
		"over the second half": {ends[0], asset.StatusBlocked},
	} {
		got := differences(t, service, test.since, ends[1])
		require.Len(t, got, assets, name)
		for i, d := range got {
			require.Equal(t, numbered(assets-1-i).Canonical, d.Content, "the newest first")
			require.Equal(t, test.from, d.From)
			require.Equal(t, asset.StatusAllowed, d.To)
		}
	}
	require.Empty(t, differences(t, service, ends[1], ends[1]))
}

func TestHistoryService_Diff_Reverted(t *testing.T) {
	t.Parallel()
	service := newFixture()
	for _, status := range []asset.Status{asset.StatusBlocked, asset.StatusAllowed, asset.StatusUnknown} {
		_, err := service.SetStatus(t.Context(), asset.SetStatusRequest{Identity: url("a"), Status: status})
		require.NoError(t, err)
	}
	begin := day(2025, 1, 5)
	require.Empty(t, differences(t, service, begin, begin.Add(time.Hour)))
	require.Equal(t, []asset.Difference{{
		AssetID: 1, Type: asset.TypeURL, Content: "https://a.example",
		From: asset.StatusUnknown, To: asset.StatusAllowed, At: begin.Add(2 * time.Second),
	}}, differences(t, service, begin, begin.Add(2*time.Second+time.Millisecond)))
}

func TestHistoryService_Diff_Times(t *testing.T) {
	t.Parallel()
	service := newHistory(t, 1)
	noon := day(2025, 1, 5).Add(12 * time.Hour)
	for reason, test := range map[string]struct {
		from, to time.Time
		want     int
	}{
		"the same moment":                        {noon, noon, 0},
		"within a millisecond":                   {noon, noon.Add(1), 0},
		"the whole calendar":                     {time.Time{}, day(9999, 12, 31), 3},
		"before the calendar":                    {time.Time{}.Add(-time.Hour), time.Time{}.Add(-1), 0},
		"from before the calendar":               {time.Time{}.Add(-1), noon, 3},
		"up to the first change":                 {time.Time{}, day(2025, 1, 5).Add(time.Second), 1},
		"up to a moment before the first change": {time.Time{}, day(2025, 1, 5).Add(time.Second - 1), 0},
		"from the first change on":               {day(2025, 1, 5).Add(time.Second), noon, 2},
	} {
		require.Len(t, differences(t, service, test.from, test.to), test.want, reason)
	}

	yielded := 0
	for _, err := range service.Diff(t.Context(), noon, noon.Add(-1)) {
		var input *asset.InputError
		require.ErrorAs(t, err, &input)
		require.Equal(t, "from", input.Issues[0].Field)
		yielded++
	}
	for _, err := range asset.NewHistoryService(broken{service.store}).Diff(t.Context(), time.Time{}, noon) {
		require.ErrorIs(t, err, errBroken)
		yielded++
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range service.Diff(ended, time.Time{}, noon) {
		require.ErrorIs(t, err, context.Canceled)
		yielded++
	}
	require.Equal(t, 3, yielded, "each error once")
	for _, err := range service.Diff(t.Context(), time.Time{}, noon) {
		require.NoError(t, err)
		break // the loop body may stop
	}
}
