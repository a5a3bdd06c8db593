package webhook_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/webhook"
)

// start is the time at which the clock of a fixture starts.
func start() time.Time { return time.Date(2025, time.January, 5, 10, 0, 0, 0, time.UTC) }

// fixture is a service with a clock that a test moves.
type fixture struct {
	*webhook.Service
	t     *testing.T
	store *memory.Store
	now   time.Time
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{t: t, store: memory.New(), now: start()}
	f.Service = webhook.NewService(f.store, f.store, f.store, webhook.Options{Clock: func() time.Time { return f.now }})
	return f
}

// create creates an endpoint and returns it as it is stored.
func (f *fixture) create() webhook.Endpoint {
	f.t.Helper()
	e, _, err := f.Create(f.t.Context(), request())
	require.NoError(f.t, err)
	return f.stored(e.ID)
}

func (f *fixture) stored(id int64) webhook.Endpoint {
	f.t.Helper()
	e, err := f.store.EndpointByID(f.t.Context(), id)
	require.NoError(f.t, err)
	return e
}

// change records n changes at the time of the clock.
func (f *fixture) change(n int) {
	f.t.Helper()
	for range n {
		feed, err := f.store.Feed(f.t.Context())
		require.NoError(f.t, err)
		identity := asset.Identity{Type: asset.TypeURL, Canonical: fmt.Sprintf("https://%d.example/", feed.Last)}
		_, err = f.store.SetAssetStatuses(f.t.Context(), asset.SetStatusesCommand{
			Items:  []asset.StatusItem{{Identity: identity, Status: asset.StatusBlocked}},
			Origin: asset.Origin{Cause: asset.CauseManual},
			At:     f.now,
		})
		require.NoError(f.t, err)
	}
}

// entries returns the changes after a place.
func (f *fixture) entries(after webhook.Place) []webhook.Entry {
	f.t.Helper()
	feed, err := f.store.Feed(f.t.Context())
	require.NoError(f.t, err)
	page, err := f.store.Since(f.t.Context(), after.Cursor, asset.MaxLimit)
	require.NoError(f.t, err)
	entries := make([]webhook.Entry, 0, len(page.Items))
	for _, entry := range page.Items {
		position, err := feed.Position(entry.Cursor)
		require.NoError(f.t, err)
		entries = append(entries, webhook.Entry{Change: entry.Change, Cursor: entry.Cursor, Position: position})
	}
	return entries
}

// take takes the endpoint for what it is sent next.
func (f *fixture) take(e webhook.Endpoint) (webhook.Attempt, error) {
	f.t.Helper()
	return f.Take(f.t.Context(), e, e.Choose(e.Place, f.entries(e.Place)))
}

// attempt is take that must succeed.
func (f *fixture) attempt(e webhook.Endpoint) webhook.Attempt {
	f.t.Helper()
	a, err := f.take(e)
	require.NoError(f.t, err)
	return a
}

// fail takes the endpoint and records a failure.
func (f *fixture) fail(e webhook.Endpoint, status int) webhook.Endpoint {
	f.t.Helper()
	after, err := f.Record(f.t.Context(), f.attempt(e), webhook.OutcomeOf(status, "", f.now))
	require.NoError(f.t, err)
	return after
}

func request() webhook.CreateRequest {
	return webhook.CreateRequest{URL: "https://receiver.example/hook", Events: []webhook.EventType{webhook.EventStatusChanged}}
}
