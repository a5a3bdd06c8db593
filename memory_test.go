package apguard_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/internal/test/postgrestest"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/storage/postgres"
	"github.com/apguard/apguard/storage/sqlite"
)

// countedStore counts the reads of checks.
type countedStore struct {
	storage.Store
	reads atomic.Int64
}

func (s *countedStore) AssetsByIdentity(ctx context.Context, identities []asset.Identity) ([]asset.Known, error) {
	s.reads.Add(1)
	return s.Store.AssetsByIdentity(ctx, identities)
}

// startMemory returns a Guard with the option Memory that runs until the end of the test. Its store is empty and
// has an organization with the ID 1.
func startMemory(t *testing.T, store storage.Store, opts apguard.Options) *apguard.Guard {
	t.Helper()
	opts.Memory = true
	guard := apguard.New(store, opts)
	require.NoError(t, guard.Accounts.PutOrganization(t.Context(), account.Organization{ID: 1, Slug: "acme"}))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- guard.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		require.ErrorIs(t, <-done, context.Canceled)
	})
	return guard
}

func TestOptions_Memory(t *testing.T) {
	t.Parallel()
	store := &countedStore{Store: memory.New()}
	guard := apguard.New(store, apguard.Options{Memory: true})
	_, err := guard.SetStatus(t.Context(), "bad.example.com", asset.StatusBlocked, asset.Origin{})
	require.NoError(t, err)
	requireReads := func(want int64, status asset.Status) {
		t.Helper()
		before := store.reads.Load()
		verdict, err := guard.Checks.Check(t.Context(), "https://bad.example.com/x")
		require.NoError(t, err)
		require.Equal(t, status, verdict.Status)
		require.Equal(t, want, store.reads.Load()-before, "reads")
	}
	requireReads(1, asset.StatusBlocked) // it is not filled

	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- guard.Replica.Run(ctx) }()
	require.NoError(t, guard.Replica.Sync(t.Context()))
	requireReads(0, asset.StatusBlocked)
	results, err := guard.Checks.CheckBatch(t.Context(), []string{"bad.example.com", "other.dev"})
	require.NoError(t, err)
	require.Equal(t, asset.StatusBlocked, results[0].Status)
	require.Equal(t, asset.StatusUnknown, results[1].Status)

	cancel() // so that the copy stays as it is
	require.ErrorIs(t, <-done, context.Canceled)
	other := apguard.New(store, apguard.Options{})
	_, err = other.SetStatus(t.Context(), "bad.example.com", asset.StatusAllowed, asset.Origin{})
	require.NoError(t, err)
	requireReads(0, asset.StatusBlocked) // the Guard does not know it
	guard.Changed()
	requireReads(1, asset.StatusAllowed)
}

func memoryStores() map[string]func(t *testing.T) storage.Store {
	inMemory := map[string]func(t *testing.T) storage.Store{"memory": func(*testing.T) storage.Store { return memory.New() }}
	all := map[string]func(t *testing.T) storage.Store{
		"memory": inMemory["memory"],
		"sqlite": func(t *testing.T) storage.Store {
			t.Helper()
			store, err := sqlite.Open(t.Context(), t.TempDir()+"/assets.db", sqlite.Options{})
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, store.Close()) })
			return store
		},
		"postgres": func(t *testing.T) storage.Store {
			t.Helper()
			dsn := postgrestest.WithParameter(t, postgrestest.NewDatabase(t), "pool_max_conns", "5")
			store, err := postgres.Open(t.Context(), dsn, postgres.Options{})
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, store.Close()) })
			return store
		},
	}
	return testsize.OfShort(inMemory, all)
}

// After each change by the Guard, checks from memory answer as the store does, with the whole basis.
func TestOptions_Memory_law(t *testing.T) {
	t.Parallel()
	for name, open := range memoryStores() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store := &countedStore{Store: open(t)}
			l := memoryLaw{t: t, now: new(atomic.Int64)}
			l.guard = startMemory(t, store, apguard.Options{Clock: l.time})
			plain := check.NewService(store, check.Options{})
			answered := 0 // by the memory
			rapid.Check(t, func(rt *rapid.T) {
				rt.Repeat(map[string]func(*rapid.T){
					"set statuses": l.set,
					"allow":        l.allow,
					"remove":       l.remove,
					"expire":       l.expire,
					"wait":         func(*rapid.T) { require.NoError(t, l.guard.Replica.Sync(t.Context())) },
					"": func(*rapid.T) {
						before := store.reads.Load()
						got, err := l.guard.Checks.CheckBatch(t.Context(), memoryContents)
						require.NoError(t, err)
						if store.reads.Load() == before {
							answered++
						}
						want, err := plain.CheckBatch(t.Context(), memoryContents)
						require.NoError(t, err)
						require.Equal(t, want, got)
					},
				})
			})
			require.NotZero(t, answered)
		})
	}
}

// memoryContents are those that a law changes and checks.
var memoryContents = []string{
	"example.com", "https://example.com", "https://a.example.com/x", "a.example.com", "https://example.com/x?y", "github.com/ada",
	"https://github.com/ada/repo", "@ada", "ada@example.com",
}

// memoryLaw changes statuses.
type memoryLaw struct {
	t     *testing.T
	guard *apguard.Guard
	// now is a number of seconds.
	now *atomic.Int64
}

func (l memoryLaw) time() time.Time {
	return time.Date(2025, time.January, 5, 10, 0, int(l.now.Load()), 0, time.UTC)
}

func drawnContent(t *rapid.T) string { return rapid.SampledFrom(memoryContents).Draw(t, "content") }

func (l memoryLaw) set(t *rapid.T) {
	l.now.Add(1)
	result, err := classify.Classify(drawnContent(t))
	require.NoError(t, err)
	item := asset.StatusItem{Identity: result.Identity, Status: rapid.SampledFrom(asset.Statuses()).Draw(t, "status")}
	if rapid.Bool().Draw(t, "ends") {
		item.ExpiresAt = l.time().Add(2 * time.Second)
	}
	request := asset.SetStatusesRequest{Items: []asset.StatusItem{item}, ConfirmProtected: true, Note: rapid.SampledFrom([]string{"", "a note"}).Draw(t, "note")}
	_, err = l.guard.Assets.SetStatuses(l.t.Context(), request)
	require.NoError(t, err)
}

func (l memoryLaw) allow(t *rapid.T) {
	l.now.Add(1)
	_, err := l.guard.Allowlist.Add(l.t.Context(), allowlist.AddRequest{OrganizationID: 1, Items: []allowlist.Item{{Content: drawnContent(t)}}})
	require.NoError(t, err)
}

func (l memoryLaw) remove(t *rapid.T) {
	l.now.Add(1)
	_, err := l.guard.Allowlist.Remove(l.t.Context(), allowlist.RemoveRequest{OrganizationID: 1, Contents: []string{drawnContent(t)}})
	require.NoError(t, err)
}

func (l memoryLaw) expire(t *rapid.T) {
	l.now.Add(3)
	_, err := l.guard.Assets.ExpireDecisions(l.t.Context())
	require.NoError(t, err)
}
