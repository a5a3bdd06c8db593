package asset_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/storage/memory"
)

func url(name string) asset.Identity {
	return asset.Identity{Type: asset.TypeURL, Canonical: "https://" + name + ".example"}
}

// fixture has all services on one store.
type fixture struct {
	*asset.Service
	*asset.HistoryService
	*asset.FeedService
	store *memory.Store
}

// newFixture returns services whose clock advances by one second with each call. It is 17
// microseconds ahead of whole seconds.
func newFixture() fixture {
	now := second(0).Add(17 * time.Microsecond)
	store := memory.New()
	return fixture{
		store: store,
		Service: asset.NewService(store, asset.Options{Clock: func() time.Time {
			now = now.Add(time.Second)
			return now
		}}),
		HistoryService: asset.NewHistoryService(store),
		FeedService:    asset.NewFeedService(store),
	}
}

// newHistory returns services with n changes of asset a, and then one of b and one of c.
func newHistory(t *testing.T, n int) fixture {
	t.Helper()
	f := newFixture()
	for i := range n {
		f.set(t, "a", []asset.Status{asset.StatusBlocked, asset.StatusAllowed}[i%2])
	}
	f.set(t, "b", asset.StatusBlocked)
	f.set(t, "c", asset.StatusBlocked)
	return f
}

func (f fixture) set(t *testing.T, name string, status asset.Status) {
	t.Helper()
	_, err := f.SetStatus(t.Context(), asset.SetStatusRequest{Identity: url(name), Status: status})
	require.NoError(t, err)
}

// changes returns all changes that match the filter, newest first.
func (f fixture) changes(t *testing.T, filter asset.ChangeFilter) []asset.Change {
	t.Helper()
	var all []asset.Change
	for change, err := range f.Changes(t.Context(), filter) {
		require.NoError(t, err)
		all = append(all, change)
	}
	return all
}

// second returns the time of the n-th change of a fixture.
func second(n int) time.Time { return day(2025, 1, 5).Add(time.Duration(n) * time.Second) }

func TestService_Get_InvalidIdentity(t *testing.T) {
	t.Parallel()
	service := asset.NewService(nil, asset.Options{}) // the store is not called
	for reason, identity := range map[string]asset.Identity{
		"no type":           {Canonical: "https://a.example"},
		"unknown type":      {Type: "url", Canonical: "https://a.example"},
		"NUL":               {Type: asset.TypeURL, Canonical: "\x00"},
		"invalid UTF-8":     {Type: asset.TypeURL, Canonical: "\xff"},
		"the zero Identity": {},
	} {
		_, err := service.Get(t.Context(), identity)
		require.ErrorIs(t, err, asset.ErrNotFound, reason)
	}
}
