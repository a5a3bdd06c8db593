package webhook_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/webhook"
)

func TestService_Replay(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for range 40 {
		f.now = f.now.Add(time.Minute)
		f.change(3)
	}
	e := f.create()
	last := f.now
	for minute := -10; minute <= 50; minute++ {
		from := start().Add(time.Duration(minute) * time.Minute)
		replayed, err := f.Replay(t.Context(), e.ID, from)
		require.NoError(t, err)
		want := 0
		for _, entry := range f.entries(webhook.Place{}) {
			if !entry.Change.At.Before(from.Add(-webhook.ReplayMargin)) {
				want++
			}
		}
		require.Len(t, f.entries(replayed.Place), want, "from minute %d", minute)
		require.EqualValues(t, 120-want, replayed.Place.Position)
	}
	all, err := f.Replay(t.Context(), e.ID, time.Time{})
	require.NoError(t, err)
	require.Zero(t, all.Place)
	require.EqualValues(t, 62, all.Replays)
	require.Equal(t, last, all.DueAt)
	_, err = f.Replay(t.Context(), 99, time.Time{})
	require.ErrorIs(t, err, webhook.ErrNotFound)
}

func TestService_Replay_Pruned(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	identity := asset.Identity{Type: asset.TypeURL, Canonical: "https://a.example/"}
	for i := range 60 {
		f.now = f.now.Add(time.Minute)
		_, err := f.store.SetAssetStatuses(t.Context(), asset.SetStatusesCommand{
			Items:  []asset.StatusItem{{Identity: identity, Status: asset.Statuses()[1+i%2]}},
			Origin: asset.Origin{Cause: asset.CauseManual},
			At:     f.now,
		})
		require.NoError(t, err)
	}
	e := f.create()
	_, err := asset.NewHistoryService(f.store).Prune(t.Context(), start().Add(30*time.Minute))
	require.NoError(t, err)
	for minute, want := range map[int]int{0: 31, 20: 31, 34: 31, 36: 30, 60: 6} {
		replayed, err := f.Replay(t.Context(), e.ID, start().Add(time.Duration(minute)*time.Minute))
		require.NoError(t, err)
		require.Len(t, f.entries(replayed.Place), want, "from minute %d", minute)
	}
}

func TestService_Replay_Disputes(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for n := range 30 {
		f.now = f.now.Add(time.Minute)
		_, err := f.store.CreateDispute(t.Context(), dispute.CreateCommand{
			Identity: asset.Identity{Type: asset.TypeURL, Canonical: "https://a.example/"}, Register: true,
			Email: fmt.Sprintf("%d@acme.example", n), EmailKey: fmt.Sprint(n), At: f.now,
		})
		require.NoError(t, err)
	}
	e := f.create()
	require.EqualValues(t, 30, e.Place.Dispute, "it receives later events only")
	for minute := -10; minute <= 40; minute++ {
		from := start().Add(time.Duration(minute) * time.Minute)
		replayed, err := f.Replay(t.Context(), e.ID, from)
		require.NoError(t, err)
		want := max(0, min(30, minute-int(webhook.ReplayMargin/time.Minute)-1))
		require.EqualValues(t, want, replayed.Place.Dispute, "from minute %d", minute)
	}
}
