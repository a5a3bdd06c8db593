package asset_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/memory"
)

func TestPruneStepMatches(t *testing.T) {
	t.Parallel()
	noon := day(2025, 1, 5).Add(12 * time.Hour)
	change := asset.Change{ID: 7, At: noon}
	later := noon.Add(time.Hour)
	cases := map[string]struct {
		step asset.PruneStep
		want bool
	}{
		"an older change":                           {asset.PruneStep{Before: later}, true},
		"a change of that moment":                   {asset.PruneStep{Before: noon}, false},
		"a change of that moment in another zone":   {asset.PruneStep{Before: noon.In(time.FixedZone("", 3600))}, false},
		"a change a nanosecond before the moment":   {asset.PruneStep{Before: noon.Add(1)}, true},
		"a newer change":                            {asset.PruneStep{Before: noon.Add(-1)}, false},
		"no change is older than the zero time":     {asset.PruneStep{}, false},
		"a place in an earlier moment":              {asset.PruneStep{Before: later, After: asset.ChangeCursor{At: noon.Add(-1), ID: 9}}, true},
		"a place in the moment, with a smaller ID":  {asset.PruneStep{Before: later, After: asset.ChangeCursor{At: noon, ID: 6}}, true},
		"a place at the change itself":              {asset.PruneStep{Before: later, After: change.Cursor()}, false},
		"a place in the moment, in another zone":    {asset.PruneStep{Before: later, After: asset.ChangeCursor{At: noon.In(time.FixedZone("", 3600)), ID: 6}}, true},
		"a place in the moment, with a larger ID":   {asset.PruneStep{Before: later, After: asset.ChangeCursor{At: noon, ID: 8}}, false},
		"a place in a later moment":                 {asset.PruneStep{Before: later, After: asset.ChangeCursor{At: noon.Add(1), ID: 1}}, false},
		"a place before it, and a change too young": {asset.PruneStep{Before: noon, After: asset.ChangeCursor{At: noon, ID: 6}}, false},
	}
	for reason, c := range cases {
		require.Equal(t, c.want, c.step.Match(change), reason)
	}
	first := asset.PruneStep{Before: time.Time{}.Add(1)}
	require.True(t, first.Match(asset.Change{ID: 1}), "the first change of the calendar")
}

// history changes asset a again and again, then b and c once each. Its first change
// is of a second after midnight, and a second lies between two.
func history(t *testing.T, n int) (*asset.Service, *memory.Store) {
	t.Helper()
	now := day(2025, 1, 5)
	store := memory.New()
	service := asset.NewService(store, asset.Options{Clock: func() time.Time {
		now = now.Add(time.Second)
		return now
	}})
	set := func(name string, status asset.Status) {
		_, err := service.SetStatus(t.Context(), asset.StatusRequest{Identity: url(name), Status: status})
		require.NoError(t, err)
	}
	for i := range n {
		set("a", []asset.Status{asset.StatusBlocked, asset.StatusAllowed}[i%2])
	}
	set("b", asset.StatusBlocked)
	set("c", asset.StatusBlocked)
	return service, store
}

// count returns how many changes an asset has.
func count(t *testing.T, service *asset.Service, identity asset.Identity) int {
	t.Helper()
	n := 0
	for _, err := range service.Changes(t.Context(), asset.ChangeFilter{Identity: identity}) {
		require.NoError(t, err)
		n++
	}
	return n
}

func TestPruneKeepsTheLatestChangeOfEachAsset(t *testing.T) {
	t.Parallel()
	const n = 3*asset.MaxChangePage - 2
	service, _ := history(t, n)

	removed, err := service.Prune(t.Context(), day(2025, 1, 5).Add(11*time.Second))
	require.NoError(t, err)
	require.EqualValues(t, 10, removed, "what is older than the eleventh second")

	removed, err = service.Prune(t.Context(), day(2026, 1, 1))
	require.NoError(t, err)
	require.EqualValues(t, n-10-1, removed, "all others but the latest")
	for _, name := range []string{"a", "b", "c"} {
		require.Equal(t, 1, count(t, service, url(name)), "asset %s", name)
	}
	got, err := service.Get(t.Context(), url("a"))
	require.NoError(t, err)
	page, err := service.ChangePage(t.Context(), asset.ChangeFilter{Identity: url("a")}, asset.ChangeCursor{}, 1)
	require.NoError(t, err)
	require.Equal(t, got.Status, page[0].To, "the latest change tells of the status")

	removed, err = service.Prune(t.Context(), day(2026, 1, 1))
	require.NoError(t, err)
	require.Zero(t, removed, "nothing is left to remove")
}

func TestPruneBeforeTheZeroTimeRemovesNothing(t *testing.T) {
	t.Parallel()
	service, _ := history(t, 5)
	removed, err := service.Prune(t.Context(), time.Time{})
	require.NoError(t, err)
	require.Zero(t, removed)
	require.Equal(t, 7, count(t, service, asset.Identity{}))
}

// pruneLog is a store that notes the steps of pruning, and fails at one of them.
type pruneLog struct {
	asset.Store
	steps  []asset.PruneStep
	failAt int
	err    error
}

func (l *pruneLog) PruneChanges(ctx context.Context, step asset.PruneStep) (asset.Pruned, error) {
	l.steps = append(l.steps, step)
	if len(l.steps) == l.failAt {
		return asset.Pruned{}, l.err
	}
	return l.Store.PruneChanges(ctx, step)
}

func TestPruneGoesOnFromStepToStep(t *testing.T) {
	t.Parallel()
	_, store := history(t, 2*asset.MaxChangePage)
	place := func(n int) asset.ChangeCursor {
		return asset.ChangeCursor{At: day(2025, 1, 5).Add(time.Duration(n) * time.Second), ID: int64(n)}
	}
	before := day(2026, 1, 1).In(time.FixedZone("", 3600))
	log := &pruneLog{Store: store}

	removed, err := asset.NewService(log, asset.Options{}).Prune(t.Context(), before)
	require.NoError(t, err)
	require.EqualValues(t, 2*asset.MaxChangePage-1, removed)
	require.Equal(t, []asset.PruneStep{
		{Before: before, Limit: asset.MaxChangePage},
		{Before: before, After: place(asset.MaxChangePage), Limit: asset.MaxChangePage},
		{Before: before, After: place(2 * asset.MaxChangePage), Limit: asset.MaxChangePage},
	}, log.steps)
}

func TestPruneTellsWhatItRemovedBeforeItFailed(t *testing.T) {
	t.Parallel()
	service, store := history(t, 2*asset.MaxChangePage)
	failure := errors.New("the storage failed")
	removed, err := asset.NewService(&pruneLog{Store: store, failAt: 2, err: failure}, asset.Options{}).Prune(t.Context(), day(2026, 1, 1))
	require.ErrorIs(t, err, failure)
	require.EqualValues(t, asset.MaxChangePage, removed)
	require.Equal(t, asset.MaxChangePage, count(t, service, url("a")), "what was removed stays removed")

	removed, err = service.Prune(t.Context(), day(2026, 1, 1))
	require.NoError(t, err)
	require.EqualValues(t, asset.MaxChangePage-1, removed, "a later Prune removes the rest")
}

func TestPruneEndsWithItsContext(t *testing.T) {
	t.Parallel()
	service, _ := history(t, 5)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	removed, err := service.Prune(ctx, day(2026, 1, 1))
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, removed)
	require.Equal(t, 5, count(t, service, url("a")))
}

func ExampleService_Prune() {
	ctx := context.Background()
	now := time.Date(2025, 1, 5, 10, 0, 0, 0, time.UTC)
	service := asset.NewService(memory.New(), asset.Options{Clock: func() time.Time { return now }})
	for _, status := range []asset.Status{asset.StatusBlocked, asset.StatusUnknown, asset.StatusAllowed} {
		_, err := service.SetStatus(ctx, asset.StatusRequest{
			Identity: asset.Identity{Type: asset.TypeURL, Canonical: "https://site.example"},
			Status:   status,
		})
		if err != nil {
			fmt.Println(err)
			return
		}
		now = now.AddDate(0, 1, 0)
	}

	removed, err := service.Prune(ctx, now.AddDate(-1, 0, 0))
	fmt.Println(removed, err)
	removed, err = service.Prune(ctx, now)
	fmt.Println(removed, err)
	for change, err := range service.Changes(ctx, asset.ChangeFilter{}) {
		fmt.Println(change.At.Format(time.DateOnly), change.From, "->", change.To, err)
	}
	// Output:
	// 0 <nil>
	// 2 <nil>
	// 2025-03-05 UNKNOWN -> ALLOWED <nil>
}
