package metrics_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/mirror"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/metrics"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/webhook"
)

// at returns a clock that stands still.
func at(now time.Time) func() time.Time { return func() time.Time { return now } }

var noon = time.Date(2025, time.June, 1, 12, 0, 0, 0, time.UTC)

// measuredStore is a store that is as busy as a test wants.
type measuredStore struct {
	storage.Store
	stats storage.Stats
}

func (s measuredStore) Stats() storage.Stats { return s.stats }

func TestCounts_Read_Store(t *testing.T) {
	t.Parallel()
	counts := metrics.NewCounts(nil)
	require.Equal(t, map[string]float64{
		"apguard_store_connections idle":              1,
		"apguard_store_connections in_use":            2,
		"apguard_store_connections_max":               4,
		"apguard_store_connection_wait_seconds_total": 0.5,
		"apguard_store_calls_waiting read":            5,
		"apguard_store_calls_waiting write":           6,
		"apguard_store_call_wait_seconds_total read":  7,
		"apguard_store_call_wait_seconds_total write": 8,
	}, read(t, counts, metrics.Sources{Store: measuredStore{stats: storage.Stats{
		MaxConnections: 4, InUse: 2, Idle: 1, Waited: time.Second / 2,
		Reads:  storage.Queue{Waiting: 5, Waited: 7 * time.Second},
		Writes: storage.Queue{Waiting: 6, Waited: 8 * time.Second},
	}}}, "apguard_store"))
	require.Empty(t, read(t, counts, metrics.Sources{Store: memory.New()}, "apguard_store"))
}

func TestCounts_Read_Webhooks(t *testing.T) {
	t.Parallel()
	store := memory.New()
	for _, e := range []webhook.Endpoint{
		{State: webhook.StateActive},
		{State: webhook.StateActive, FailingSince: noon.Add(-time.Minute)},
		{State: webhook.StateActive, FailingSince: noon.Add(-time.Hour), Batch: webhook.Batch{First: 1, Last: 1}},
		{State: webhook.StateActive, Batch: webhook.Batch{First: 1, Last: 2}},
		{State: webhook.StatePaused, FailingSince: noon.Add(-24 * time.Hour), Batch: webhook.Batch{First: 1, Last: 1}},
		{State: webhook.StateDisabled, DisabledBy: webhook.ReasonFailing, FailingSince: noon.Add(-24 * time.Hour)},
		{State: webhook.StateDisabled, DisabledBy: webhook.ReasonFailing},
		{State: webhook.StateDisabled, DisabledBy: webhook.ReasonGone},
	} {
		_, err := store.AddEndpoint(t.Context(), e, audit.Entry{})
		require.NoError(t, err)
	}
	guard := apguard.New(store, apguard.Options{Clock: at(noon)})
	got := read(t, metrics.NewCounts(at(noon)), metrics.Sources{Guard: guard}, "apguard_webhook")
	for sample, want := range map[string]float64{
		"apguard_webhook_disabled FAILING": 2,
		"apguard_webhook_disabled GONE":    1,
		"apguard_webhook_pending":          2,
		"apguard_webhook_failing_seconds":  3600,
	} {
		require.Contains(t, got, sample)
		require.InDelta(t, want, got[sample], 0, sample)
	}
}

func TestCounts_Read_Lists(t *testing.T) {
	t.Parallel()
	store := memory.New()
	for _, list := range []lists.List{
		{Name: "synced", CreatedAt: noon.Add(-48 * time.Hour), SyncedAt: noon.Add(-time.Hour), Entries: 7},
		{Name: "added", CreatedAt: noon.Add(-24 * time.Hour), Failures: 3},
		{Name: "of-a-clock-that-is-ahead", CreatedAt: noon.Add(time.Hour)},
	} {
		_, err := store.PutList(t.Context(), list.Name, func(lists.List, int) (lists.List, audit.Entry, error) { return list, audit.Entry{}, nil })
		require.NoError(t, err)
	}
	require.Equal(t, map[string]float64{
		"apguard_list_entries synced":                       7,
		"apguard_list_entries added":                        0,
		"apguard_list_entries of-a-clock-that-is-ahead":     0,
		"apguard_list_age_seconds synced":                   3600,
		"apguard_list_age_seconds added":                    24 * 3600,
		"apguard_list_age_seconds of-a-clock-that-is-ahead": 0,
		"apguard_list_failures synced":                      0,
		"apguard_list_failures added":                       3,
		"apguard_list_failures of-a-clock-that-is-ahead":    0,
	}, read(t, metrics.NewCounts(at(noon)), metrics.Sources{Guard: apguard.New(store, apguard.Options{})}, "apguard_list"))
}

func TestCounts_Read_Replica(t *testing.T) {
	t.Parallel()
	now := time.Now()
	counts := metrics.NewCounts(func() time.Time { return now })
	require.Empty(t, read(t, counts, metrics.Sources{Guard: apguard.New(memory.New(), apguard.Options{})}, "apguard_replica"), "a server without copies")
	guard := apguard.New(memory.New(), apguard.Options{Memory: true})
	age := func() float64 {
		return read(t, counts, metrics.Sources{Guard: guard}, "apguard_replica")["apguard_replica_age_seconds"]
	}
	now = now.Add(90 * time.Second)
	require.InDelta(t, 90, age(), 0, "before they are filled, since the start")
	require.NoError(t, guard.Replica.Refresh(t.Context()))
	readAt := guard.Replica.State().ReadAt
	now = readAt.Add(1500 * time.Millisecond)
	require.InDelta(t, 1.5, age(), 0)
	now = readAt.Add(-time.Hour)
	require.InDelta(t, 0, age(), 0, "a clock that was set back")
}

// A mirror counts checks, and tells how its copy is.
func TestCounts_Read_Mirror(t *testing.T) {
	t.Parallel()
	now := time.Now()
	counts := metrics.NewCounts(func() time.Time { return now })
	guard := apguard.New(memory.New(), apguard.Options{})
	_, err := guard.SetStatus(t.Context(), "bad.example.com", asset.StatusBlocked, asset.Origin{})
	require.NoError(t, err)
	m := mirror.New(mirror.Options{})
	replica := feed.NewReplica(feed.FromServices(guard.Assets, guard.Feed), feed.Options{Views: []feed.View{m}})
	checks := map[string]float64{
		"apguard_checks_total ALLOWED ASSET": 0, "apguard_checks_total BLOCKED ASSET": 0,
		"apguard_checks_total BLOCKED LIST": 0, "apguard_checks_total UNKNOWN NONE": 0,
	}
	want := func(mirrored map[string]float64) map[string]float64 {
		for sample, value := range checks {
			mirrored[sample] = value
		}
		return mirrored
	}
	require.Equal(t, want(map[string]float64{"apguard_mirror_filled": 0, "apguard_mirror_assets": 0}),
		read(t, counts, metrics.Sources{Mirror: m}, ""), "no age before it is filled")
	require.NoError(t, replica.Refresh(t.Context()))
	now = m.State().ReadAt.Add(90 * time.Second)
	filled := map[string]float64{"apguard_mirror_filled": 1, "apguard_mirror_assets": 1, "apguard_mirror_age_seconds": 90}
	require.Equal(t, want(filled), read(t, counts, metrics.Sources{Mirror: m}, ""))
}

// A gauge whose source does not answer is missing, and all others are there.
func TestCounts_Read_Errors(t *testing.T) {
	t.Parallel()
	counts := metrics.NewCounts(nil)
	for reason, c := range map[string]struct {
		ended bool
		store storage.Store
		want  error
	}{
		"a context that has ended":             {true, memory.New(), context.Canceled},
		"a store that is away":                 {false, awayStore{memory.New()}, asset.ErrUnavailable},
		"a store that implements none of them": {false, storage.Unimplemented{}, nil},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			if c.ended {
				ctx = ended(t)
			}
			families, err := counts.Read(ctx, metrics.Sources{Guard: apguard.New(c.store, apguard.Options{})})
			require.ErrorIs(t, err, c.want)
			got := byName(t, families)
			require.Contains(t, got, "apguard_changes_total BLOCKED")
			require.NotContains(t, got, "apguard_feed_behind_seconds")
			if _, ok := c.store.(awayStore); ok {
				require.Contains(t, got, "apguard_decisions_overdue")
			}
		})
	}
}

// awayStore does not tell how its feed is.
type awayStore struct{ storage.Store }

func (awayStore) Feed(context.Context) (asset.Feed, error) { return asset.Feed{}, asset.ErrUnavailable }
