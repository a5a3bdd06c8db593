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

// unindexed opens a store without the indexes of the feed.
func unindexed(b *testing.B) *postgres.Store {
	b.Helper()
	dsn := database(b)
	migrated(b, dsn)
	execute(b, dsn, "DROP INDEX apguard_changes_without_position; DROP INDEX apguard_changes_feed")
	return open(b, dsn)
}

// BenchmarkSince reads a page of 1,000 changes of the feed, far from its beginning:
// "ms/page" when they have their places, "ms/new" when they get them. "x/changes"
// is the rate of the first against that of a page of the changelog.
func BenchmarkSince(b *testing.B) {
	store := open(b, database(b))
	benchtest.Fill(b, store, 20)
	place, err := drain(b, store, asset.FeedCursor{})
	require.NoError(b, err)
	batch := 100
	add := func() {
		batch++
		_, err := store.AddToAllowlist(b.Context(), benchtest.AddCommand(batch, allowlist.MaxItems))
		require.NoError(b, err)
	}
	page := func() {
		got, err := store.Since(b.Context(), place, asset.MaxLimit)
		require.NoError(b, err)
		require.Len(b, got, asset.MaxLimit)
	}
	add()
	for b.Loop() {
		times := benchtest.Medians(2*benchtest.Rounds+1,
			func(int) { page() },
			func(int) {
				got, err := store.Changes(b.Context(), asset.ChangeFilter{}, asset.ChangeCursor{}, asset.MaxLimit)
				require.NoError(b, err)
				require.Len(b, got, asset.MaxLimit)
			},
			func(int) {
				place, err = drain(b, store, place)
				require.NoError(b, err)
				add()
			},
			func(int) { page() })
		benchtest.Figures(b, map[string]float64{"ms/page": times[0], "x/changes": times[1] / times[0], "ms/new": times[3]})
	}
}

// drain follows to the end and returns the place there.
func drain(b *testing.B, store *postgres.Store, place asset.FeedCursor) (asset.FeedCursor, error) {
	b.Helper()
	for {
		page, err := store.Since(b.Context(), place, asset.MaxLimit)
		if err != nil || len(page) == 0 {
			return place, err
		}
		place = page[len(page)-1].Cursor
	}
}

// BenchmarkFollowedWriters lets eight writers set statuses of their own assets: with
// the indexes of the feed, and with a follower beside them. "x/unindexed" and
// "x/followed" are the rates against that without the indexes.
func BenchmarkFollowedWriters(b *testing.B) {
	const writers, sets = 8, 40
	stores := []*postgres.Store{unindexed(b), open(b, database(b)), open(b, database(b))}
	write := func(store *postgres.Store, round int) {
		var group sync.WaitGroup
		for i := range writers {
			group.Go(func() {
				for n := range sets {
					if err := setStatus(b.Context(), store, fmt.Sprintf("%d-%d", i, n), turn(round)); err != nil {
						b.Error(err)
					}
				}
			})
		}
		group.Wait()
	}
	var (
		place asset.FeedCursor
		err   error
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
						place, err = drain(b, stores[2], place)
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

// BenchmarkFollowedAdditions adds 1,000 new assets at a time with the indexes of the
// feed. "x/unindexed" is the rate against that without them, and "x/followed" the
// one of a store that is followed to the end after each batch, which is not counted.
func BenchmarkFollowedAdditions(b *testing.B) {
	stores := []*postgres.Store{unindexed(b), open(b, database(b)), open(b, database(b))}
	batch := 0
	add := func(store *postgres.Store, round int) {
		_, err := store.AddToAllowlist(b.Context(), benchtest.AddCommand(batch+round, allowlist.MaxItems))
		require.NoError(b, err)
	}
	var (
		place asset.FeedCursor
		err   error
	)
	for b.Loop() {
		times := benchtest.Medians(2*benchtest.Rounds+1,
			func(round int) { add(stores[0], round) },
			func(round int) { add(stores[1], round) },
			func(round int) { add(stores[2], round) },
			func(int) {
				place, err = drain(b, stores[2], place)
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
