package postgres_test

import (
	"context"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/mirror"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/postgres"
)

// openReadOnly opens a store that is closed at the end of the test.
func openReadOnly(t *testing.T, dsn string) *postgres.Store {
	t.Helper()
	store, err := postgres.Open(t.Context(), dsn, postgres.Options{ReadOnly: true})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	return store
}

func TestOpen_ReadOnly(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	_, err := postgres.Open(t.Context(), dsn, postgres.Options{ReadOnly: true})
	require.ErrorIs(t, err, storage.ErrOlderSchema, "it creates no tables")

	require.NoError(t, block(t.Context(), open(t, dsn), "a"))
	store := openReadOnly(t, dsn)
	require.NoError(t, store.Ping(t.Context()))
	found, err := store.AssetsByIdentity(t.Context(), []asset.Identity{{Type: asset.TypeURL, Canonical: "a"}})
	require.NoError(t, err)
	require.Len(t, found, 1)
	err = block(t.Context(), store, "b")
	require.ErrorIs(t, err, asset.ErrReadOnly)
	require.NotErrorIs(t, err, asset.ErrUnavailable, "later, it is the same")
	require.EqualError(t, err, "postgres: set asset statuses: store is read-only")
	page, err := store.Changes(t.Context(), asset.ListChangesRequest{Limit: 10})
	require.NoError(t, err)
	require.Len(t, page.Items, 1)
}

// A standby answers everything that reads while the primary is written, and is asked to write
// nothing.
func TestReadOnly_Standby(t *testing.T) {
	t.Parallel()
	testsize.OnlyFull(t)
	p := newPair(t)
	store := open(t, p.dsn())
	primary := apguard.New(store, apguard.Options{})
	writing := startAdders(t, store)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go func() { _ = primary.Run(ctx) }()

	standby := apguard.New(openReadOnly(t, withParameter(t, p.standby.dsn(), "log_statement", "all")), apguard.Options{})
	m := mirror.New(mirror.Options{})
	source := feed.FromServices(standby.Assets, standby.Feed)
	r := feed.NewReplica(source, feed.Options{Views: []feed.View{m}, Interval: 10 * time.Millisecond})
	go func() { _ = r.Run(ctx) }()
	require.NoError(t, r.Sync(ctx))
	for range 3 {
		writing.more(t)
		require.NotEmpty(t, answers(t, standby))
	}
	writing.end()
	require.NoError(t, primary.Feed.Publish(ctx)) // the standby can show a commit before the primary does
	require.NoError(t, r.Sync(ctx))
	want := answers(t, primary)
	require.Equal(t, want, answers(t, standby))
	standby.Checks = m
	for _, result := range want[0].([]check.Result) {
		if result.Match != nil {
			result.Match.Basis = asset.Basis{Reason: result.Match.Reason} // a mirror has nothing else of it
		}
	}
	require.Equal(t, want, answers(t, standby))

	end, err := standby.Feed.State(t.Context())
	require.NoError(t, err)
	require.Less(t, end.Behind, 10*time.Second)
	log, err := os.ReadFile(filepath.Join(p.standby.dir(), "log"))
	require.NoError(t, err)
	require.Contains(t, string(log), "FROM apguard_changes")
	require.NotRegexp(t, "(?i)ERROR|INSERT|UPDATE|DELETE|nextval|read write", string(log))

	_, err = postgres.Open(t.Context(), p.standby.dsn(), postgres.Options{})
	require.ErrorIs(t, err, postgres.ErrReadOnly)
	require.ErrorContains(t, err, "(name the primary server too, wait until it answers, or open the store with ReadOnly)")
	p.primary.kill(t)
	require.Eventually(t, func() bool {
		end, err := standby.Feed.State(t.Context())
		return err == nil && end.Behind > 10*time.Second
	}, time.Minute, 100*time.Millisecond, "it cannot know what it lacks")
}

// answers returns what a server answers: checks, the changelog, lists, an export, and the feed.
func answers(t *testing.T, guard *apguard.Guard) []any {
	t.Helper()
	verdicts, err := guard.Checks.CheckBatch(t.Context(), []string{"https://0-0.example.com", "https://1-1.example.com/x", "new.example"})
	require.NoError(t, err)
	all := []any{verdicts}
	for change, err := range guard.Assets.Changes(t.Context(), asset.ChangeFilter{}) {
		require.NoError(t, err)
		all = append(all, change)
	}
	for entry, err := range guard.Feed.Follow(t.Context(), asset.FeedCursor{}) {
		require.NoError(t, err)
		all = append(all, entry)
	}
	var text strings.Builder
	_, err = lists.Write(&text, lists.CSV, func(filter asset.Filter) iter.Seq2[asset.Listed, error] {
		return guard.Assets.All(t.Context(), filter, 0)
	}, lists.WriteOptions{Statuses: asset.Statuses()})
	require.NoError(t, err)
	return append(all, text.String())
}

// All connections of a read-only store lead to one server while that answers, and then to another.
func TestReadOnly_OneServer(t *testing.T) {
	t.Parallel()
	testsize.OnlyFull(t)
	p := newPair(t)
	require.NoError(t, p.standby.stop("fast"))
	store := openReadOnly(t, dsnOf(p.standby, p.primary))
	servers := func() []string {
		pool := postgres.Pool(store)
		found := make([]string, pool.Config().MaxConns)
		for i := range found {
			connection, err := pool.Acquire(t.Context())
			require.NoError(t, err)
			defer connection.Release()
			found[i] = filepath.Dir(connection.Conn().PgConn().Conn().RemoteAddr().String())
		}
		return slices.Compact(found)
	}
	require.NoError(t, store.Ping(t.Context()))
	require.NoError(t, p.standby.start())
	require.Equal(t, []string{p.primary.dir()}, servers())

	p.stop(t, nil)
	require.Eventually(t, func() bool {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		return store.Ping(ctx) == nil
	}, time.Minute, retryPause)
	require.Equal(t, []string{p.standby.dir()}, servers())
}
