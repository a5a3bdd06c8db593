package postgres_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/benchtest"
	"github.com/apguard/apguard/storage/postgres"
)

// openWithoutFeedIndexes opens a store without the indexes of the feed.
func openWithoutFeedIndexes(b *testing.B) *postgres.Store {
	b.Helper()
	dsn := newDatabase(b)
	migrate(b, dsn)
	execute(b, dsn, "DROP INDEX apguard_changes_without_position; DROP INDEX apguard_changes_feed")
	return open(b, dsn)
}

// BenchmarkSince reads a page of 1,000 changes at the end of a long feed. "ms/page" is the
// time if they have positions, "ms/new" if they get them. "x/changes" is the rate of the
// first relative to a page of the changelog.
func BenchmarkSince(b *testing.B) {
	store := open(b, newDatabase(b))
	benchtest.Fill(b, store, 20)
	cursor, err := followToEnd(b, store, asset.FeedCursor{})
	require.NoError(b, err)
	batch := 100
	add := func() {
		batch++
		_, err := store.AddToAllowlist(b.Context(), benchtest.AddCommand(batch, allowlist.MaxItems))
		require.NoError(b, err)
	}
	page := func() {
		got, err := store.Since(b.Context(), cursor, asset.MaxLimit)
		require.NoError(b, err)
		require.Len(b, got.Items, asset.MaxLimit)
	}
	add()
	for b.Loop() {
		times := benchtest.Medians(2*benchtest.Rounds+1,
			func(int) { page() },
			func(int) {
				got, err := store.Changes(b.Context(), asset.ListChangesRequest{Limit: asset.MaxLimit})
				require.NoError(b, err)
				require.Len(b, got.Items, asset.MaxLimit)
			},
			func(int) {
				cursor, err = followToEnd(b, store, cursor)
				require.NoError(b, err)
				add()
			},
			func(int) { page() })
		benchtest.Figures(b, map[string]float64{"ms/page": times[0], "x/changes": times[1] / times[0], "ms/new": times[3]})
	}
}

// followToEnd reads the rest of the feed and returns the cursor at the end.
func followToEnd(b *testing.B, store *postgres.Store, cursor asset.FeedCursor) (asset.FeedCursor, error) {
	b.Helper()
	for {
		page, err := store.Since(b.Context(), cursor, asset.MaxLimit)
		if err != nil || len(page.Items) == 0 {
			return cursor, err
		}
		cursor = page.Last().Cursor
	}
}

// BenchmarkFollowedWriters runs eight writers that set statuses of their own assets, with the
// indexes of the feed and also with a concurrent follower. "x/unindexed" and "x/followed"
// are the rates relative to writing without the indexes.
func BenchmarkFollowedWriters(b *testing.B) {
	const writers, sets = 8, 40
	stores := []*postgres.Store{openWithoutFeedIndexes(b), open(b, newDatabase(b)), open(b, newDatabase(b))}
	write := func(store *postgres.Store, round int) {
		var group sync.WaitGroup
		for i := range writers {
			group.Go(func() {
				for n := range sets {
					if err := setStatus(b.Context(), store, fmt.Sprintf("%d-%d", i, n), nthStatus(round)); err != nil {
						b.Error(err)
					}
				}
			})
		}
		group.Wait()
	}
	var (
		cursor asset.FeedCursor
		err    error
	)
	for b.Loop() {
		times := benchtest.Medians(2*benchtest.Rounds+1,
			func(round int) { write(stores[0], round) },
			func(round int) { write(stores[1], round) },
			func(round int) {
				var following sync.WaitGroup
				done := make(chan struct{})
				following.Go(func() {
					for err == nil {
						cursor, err = followToEnd(b, stores[2], cursor)
						select {
						case <-done:
							return
						default:
						}
					}
				})
				write(stores[2], round)
				close(done)
				following.Wait()
				require.NoError(b, err)
			})
		benchtest.Figures(b, map[string]float64{
			"changes/s":   1000 * writers * sets / times[1],
			"x/unindexed": times[0] / times[1],
			"x/followed":  times[0] / times[2],
		})
	}
}

// BenchmarkFollowedAdditions adds 1,000 new assets at a time with the indexes of the feed.
// "x/unindexed" is the rate relative to adding without them. "x/followed" is that of a store
// whose feed is read after each batch; the time of reading is "ms/followed".
func BenchmarkFollowedAdditions(b *testing.B) {
	stores := []*postgres.Store{openWithoutFeedIndexes(b), open(b, newDatabase(b)), open(b, newDatabase(b))}
	batch := 0
	add := func(store *postgres.Store, round int) {
		_, err := store.AddToAllowlist(b.Context(), benchtest.AddCommand(batch+round, allowlist.MaxItems))
		require.NoError(b, err)
	}
	var (
		cursor asset.FeedCursor
		err    error
	)
	for b.Loop() {
		times := benchtest.Medians(2*benchtest.Rounds+1,
			func(round int) { add(stores[0], round) },
			func(round int) { add(stores[1], round) },
			func(round int) { add(stores[2], round) },
			func(int) {
				cursor, err = followToEnd(b, stores[2], cursor)
				require.NoError(b, err)
			})
		batch += 2*benchtest.Rounds + 1
		benchtest.Figures(b, map[string]float64{
			"ms/batch":    times[1],
			"x/unindexed": times[0] / times[1],
			"x/followed":  times[0] / times[2],
			"ms/followed": times[3],
		})
	}
}
