package asset_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/step"
)

func TestPruneCommand_Match(t *testing.T) {
	t.Parallel()
	noon := day(2025, 1, 5).Add(12 * time.Hour)
	change := asset.Change{ID: 7, At: noon}
	later := noon.Add(time.Hour)
	cases := map[string]struct {
		cmd  asset.PruneCommand
		want bool
	}{
		"an older change":                           {asset.PruneCommand{Before: later}, true},
		"a change of that moment":                   {asset.PruneCommand{Before: noon}, false},
		"a change of that moment in another zone":   {asset.PruneCommand{Before: noon.In(time.FixedZone("", 3600))}, false},
		"a change a nanosecond before the moment":   {asset.PruneCommand{Before: noon.Add(1)}, true},
		"a newer change":                            {asset.PruneCommand{Before: noon.Add(-1)}, false},
		"no change is older than the zero time":     {asset.PruneCommand{}, false},
		"a place in an earlier moment":              {asset.PruneCommand{Before: later, After: asset.ChangeCursor{At: noon.Add(-1), ID: 9}}, true},
		"a place in the moment, with a smaller ID":  {asset.PruneCommand{Before: later, After: asset.ChangeCursor{At: noon, ID: 6}}, true},
		"a place at the change itself":              {asset.PruneCommand{Before: later, After: change.Cursor()}, false},
		"a place in the moment, in another zone":    {asset.PruneCommand{Before: later, After: asset.ChangeCursor{At: noon.In(time.FixedZone("", 3600)), ID: 6}}, true},
		"a place in the moment, with a larger ID":   {asset.PruneCommand{Before: later, After: asset.ChangeCursor{At: noon, ID: 8}}, false},
		"a place in a later moment":                 {asset.PruneCommand{Before: later, After: asset.ChangeCursor{At: noon.Add(1), ID: 1}}, false},
		"a place before it, and a change too young": {asset.PruneCommand{Before: noon, After: asset.ChangeCursor{At: noon, ID: 6}}, false},
	}
	for reason, c := range cases {
		require.Equal(t, c.want, c.cmd.Match(change), reason)
	}
	first := asset.PruneCommand{Before: time.Time{}.Add(1)}
	require.True(t, first.Match(asset.Change{ID: 1}), "the first change of the calendar")
}

func TestPruneCommand_Removes(t *testing.T) {
	t.Parallel()
	cmd := asset.PruneCommand{Before: second(10)}
	status := func(id int64, at int) asset.Change {
		return asset.Change{ID: id, At: second(at), From: asset.StatusUnknown, To: asset.StatusBlocked}
	}
	basis := func(id int64, at int) asset.Change {
		return asset.Change{ID: id, At: second(at), From: asset.StatusBlocked, To: asset.StatusBlocked}
	}
	for reason, c := range map[string]struct {
		change, other asset.Change
		want          bool
	}{
		"the latest change itself":                      {status(7, 5), status(7, 5), false},
		"the latest change is newer":                    {status(7, 5), status(8, 6), true},
		"the latest change is too young too":            {status(7, 5), status(8, 20), true},
		"the latest change has the same time":           {status(7, 5), status(8, 5), true},
		"the clock was set back in between":             {status(7, 5), status(6, 6), true},
		"an older change":                               {status(7, 5), status(6, 4), false},
		"a change of the basis alone is newer":          {status(7, 5), basis(8, 6), false},
		"the last change of the basis alone":            {basis(7, 5), status(6, 4), false},
		"a change of the basis before one of a status":  {basis(7, 5), status(8, 6), true},
		"a change of the basis before another of these": {basis(7, 5), basis(8, 6), true},
		"the command does not match":                    {status(7, 10), status(8, 11), false},
	} {
		others := slices.Values([]asset.Change{c.change, c.other})
		require.Equal(t, c.want, cmd.Removes(c.change, others), reason)
	}
}

func TestHistoryService_Prune(t *testing.T) {
	t.Parallel()
	const n = 3*asset.MaxLimit - 2
	service := newHistory(t, n)

	removed, err := service.Prune(t.Context(), second(11))
	require.NoError(t, err)
	require.EqualValues(t, 10, removed, "what is older than the eleventh second")

	removed, err = service.Prune(t.Context(), day(2026, 1, 1))
	require.NoError(t, err)
	require.EqualValues(t, n-10-1, removed, "all others but the latest")
	for _, name := range []string{"a", "b", "c"} {
		require.Len(t, service.changes(t, asset.ChangeFilter{Identity: url(name)}), 1, "asset %s", name)
	}
	got, err := service.Get(t.Context(), url("a"))
	require.NoError(t, err)
	require.Equal(t, got.Status, service.changes(t, asset.ChangeFilter{Identity: url("a")})[0].To)

	removed, err = service.Prune(t.Context(), day(2026, 1, 1))
	require.NoError(t, err)
	require.Zero(t, removed, "nothing is left to remove")
}

func TestHistoryService_Prune_ZeroTime(t *testing.T) {
	t.Parallel()
	service := newHistory(t, 5)
	removed, err := service.Prune(t.Context(), time.Time{})
	require.NoError(t, err)
	require.Zero(t, removed)
	require.Len(t, service.changes(t, asset.ChangeFilter{}), 7)
}

// pruneLog is a store that records the steps of pruning and fails at one of them.
type pruneLog struct {
	asset.HistoryStore
	steps  []asset.PruneCommand
	failAt int
	err    error
}

func (l *pruneLog) PruneChanges(ctx context.Context, cmd asset.PruneCommand) (step.Pruned[asset.ChangeCursor], error) {
	l.steps = append(l.steps, cmd)
	if len(l.steps) == l.failAt {
		return step.Pruned[asset.ChangeCursor]{}, l.err
	}
	return l.HistoryStore.PruneChanges(ctx, cmd)
}

func TestHistoryService_Prune_Steps(t *testing.T) {
	t.Parallel()
	store := newHistory(t, 2*asset.MaxLimit).store
	cursor := func(n int) asset.ChangeCursor { return asset.ChangeCursor{At: second(n), ID: int64(n)} }
	before := day(2026, 1, 1).In(time.FixedZone("", 3600))
	log := &pruneLog{HistoryStore: store}

	removed, err := asset.NewHistoryService(log).Prune(t.Context(), before)
	require.NoError(t, err)
	require.EqualValues(t, 2*asset.MaxLimit-1, removed)
	require.Equal(t, []asset.PruneCommand{
		{Before: before, Limit: asset.MaxLimit},
		{Before: before, After: cursor(asset.MaxLimit), Limit: asset.MaxLimit},
		{Before: before, After: cursor(2 * asset.MaxLimit), Limit: asset.MaxLimit},
	}, log.steps)
}

func TestHistoryService_Prune_Failure(t *testing.T) {
	t.Parallel()
	service := newHistory(t, 2*asset.MaxLimit)
	failure := errors.New("the storage failed")
	removed, err := asset.NewHistoryService(&pruneLog{HistoryStore: service.store, failAt: 2, err: failure}).Prune(t.Context(), day(2026, 1, 1))
	require.ErrorIs(t, err, failure)
	require.EqualValues(t, asset.MaxLimit, removed)
	require.Len(t, service.changes(t, asset.ChangeFilter{Identity: url("a")}), asset.MaxLimit, "what was removed stays removed")

	removed, err = service.Prune(t.Context(), day(2026, 1, 1))
	require.NoError(t, err)
	require.EqualValues(t, asset.MaxLimit-1, removed, "a later Prune removes the rest")
}

func TestHistoryService_Prune_Canceled(t *testing.T) {
	t.Parallel()
	service := newHistory(t, 5)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	removed, err := service.Prune(ctx, day(2026, 1, 1))
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, removed)
	require.Len(t, service.changes(t, asset.ChangeFilter{Identity: url("a")}), 5)
}
