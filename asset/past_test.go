package asset_test

import (
	"context"
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/memory"
)

var errBroken = errors.New("broken")

// broken is a store that does not tell of the past.
type broken struct{ *memory.Store }

func (broken) StatusesAt(context.Context, []int64, time.Time) (map[int64]asset.Status, error) {
	return nil, errBroken
}

// numbered returns the identity of the n-th of many assets.
func numbered(n int) asset.Identity { return url(strconv.Itoa(n)) }

// differences returns what Diff yields.
func differences(t *testing.T, service *asset.Service, from, to time.Time) []asset.Difference {
	t.Helper()
	var all []asset.Difference
	for d, err := range service.Diff(t.Context(), from, to) {
		require.NoError(t, err)
		all = append(all, d)
	}
	return all
}

func TestStatusAt(t *testing.T) {
	t.Parallel()
	service, _ := history(t, 2)
	second := func(n int) time.Time { return day(2025, 1, 5).Add(time.Duration(n) * time.Second) }
	first, err := service.StatusAt(t.Context(), url("a"), second(1))
	require.NoError(t, err)
	before, err := service.StatusAt(t.Context(), url("a"), second(1).Add(-1))
	require.NoError(t, err)
	require.Equal(t, asset.StatusUnknown, before)
	require.NotEqual(t, before, first)

	for reason, identity := range map[string]asset.Identity{
		"nobody knows it":       url("nobody"),
		"there is no such type": {Type: "NONE", Canonical: "https://a.example"},
		"no text can be so":     {Type: asset.TypeURL, Canonical: "\x00"},
	} {
		status, err := service.StatusAt(t.Context(), identity, second(1))
		require.ErrorIs(t, err, asset.ErrNotFound, reason)
		require.Empty(t, status, reason)
	}
}

func TestDiffOfManyAssets(t *testing.T) {
	t.Parallel()
	const assets = 2*asset.MaxChangePage + 50
	service := newService(t)
	var ends [2]time.Time
	for i, status := range []asset.Status{asset.StatusBlocked, asset.StatusAllowed} {
		for n := range assets {
			_, err := service.SetStatus(t.Context(), asset.StatusRequest{Identity: numbered(n), Status: status})
			require.NoError(t, err)
		}
		page, err := service.ChangePage(t.Context(), asset.ChangeFilter{}, asset.ChangeCursor{}, 1)
		require.NoError(t, err)
		ends[i] = page[0].At
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

func TestADifferenceThatWentBackIsNone(t *testing.T) {
	t.Parallel()
	service := newService(t)
	for _, status := range []asset.Status{asset.StatusBlocked, asset.StatusAllowed, asset.StatusUnknown} {
		_, err := service.SetStatus(t.Context(), asset.StatusRequest{Identity: url("a"), Status: status})
		require.NoError(t, err)
	}
	begin := day(2025, 1, 5)
	require.Empty(t, differences(t, service, begin, begin.Add(time.Hour)))
	require.Equal(t, []asset.Difference{{
		AssetID: 1, Type: asset.TypeURL, Content: "https://a.example",
		From: asset.StatusUnknown, To: asset.StatusAllowed, At: begin.Add(2 * time.Second),
	}}, differences(t, service, begin, begin.Add(2*time.Second+time.Millisecond)))
}

func TestTheEndsOfADiff(t *testing.T) {
	t.Parallel()
	service, store := history(t, 1)
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
	for _, err := range asset.NewService(broken{store}, asset.Options{}).Diff(t.Context(), time.Time{}, noon) {
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
		break // nothing is yielded to who has left
	}
}
