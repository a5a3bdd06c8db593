package postgres_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/test/accounttest"
	"github.com/apguard/apguard/internal/test/benchtest"
	"github.com/apguard/apguard/storage/postgres"
)

// BenchmarkSince reads a page of 1,000 changes at the end of a long feed, which takes "ms/page".
// Their publication takes "ms/publish". "x/changes" is the rate of the first relative to a page of
// the changelog.
func BenchmarkSince(b *testing.B) {
	store := accounttest.Organizations(b, open(b, newDatabase(b)), 1)
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
	publish := func() { require.NoError(b, asset.NewFeedService(store).Publish(b.Context())) }
	add()
	publish()
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
			func(int) { publish() })
		benchtest.Figures(b, map[string]float64{"ms/page": times[0], "x/changes": times[1] / times[0], "ms/publish": times[3]})
	}
}

// followToEnd publishes all changes, reads the rest of the feed and returns the cursor at the end.
func followToEnd(b *testing.B, store *postgres.Store, cursor asset.FeedCursor) (asset.FeedCursor, error) {
	b.Helper()
	if err := asset.NewFeedService(store).Publish(b.Context()); err != nil {
		return cursor, err
	}
	for {
		page, err := store.Since(b.Context(), cursor, asset.MaxLimit)
		if err != nil || len(page.Items) == 0 {
			return cursor, err
		}
		cursor = page.Last().Cursor
	}
}

// BenchmarkFollowedWriters runs eight writers that set statuses of their own assets. "x/followed" is
// the rate with a concurrent follower, which also publishes, relative to that without.
func BenchmarkFollowedWriters(b *testing.B) {
	const writers, sets = 8, 40
	stores := []*postgres.Store{
		accounttest.Organizations(b, open(b, newDatabase(b)), 1), accounttest.Organizations(b, open(b, newDatabase(b)), 1),
	}
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
			func(round int) {
				var following sync.WaitGroup
				done := make(chan struct{})
				following.Go(func() {
					for err == nil {
						cursor, err = followToEnd(b, stores[1], cursor)
						select {
						case <-done:
							return
						default:
						}
					}
				})
				write(stores[1], round)
				close(done)
				following.Wait()
				require.NoError(b, err)
			})
		benchtest.Figures(b, map[string]float64{
			"changes/s":  1000 * writers * sets / times[0],
			"x/followed": times[0] / times[1],
		})
	}
}

// BenchmarkFollowedAdditions adds 1,000 new assets at a time. "x/followed" is the rate of a store
// whose feed is published and read after each batch, relative to that of another; the time of
// reading is "ms/followed".
func BenchmarkFollowedAdditions(b *testing.B) {
	stores := []*postgres.Store{
		accounttest.Organizations(b, open(b, newDatabase(b)), 1), accounttest.Organizations(b, open(b, newDatabase(b)), 1),
	}
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
			func(int) {
				cursor, err = followToEnd(b, stores[1], cursor)
				require.NoError(b, err)
			})
		batch += 2*benchtest.Rounds + 1
		benchtest.Figures(b, map[string]float64{
			"ms/batch":    times[0],
			"x/followed":  times[0] / times[1],
			"ms/followed": times[2],
		})
	}
}

// BenchmarkPublication runs eight writers, of which one adds 1,000 assets at a time, and a follower
// that reads all the time. "ms/p50" and "ms/p99" are the times from the end of a call that writes
// until the follower has its last change.
func BenchmarkPublication(b *testing.B) {
	const writers, sets, batches = 8, 200, 10
	for b.Loop() {
		store := accounttest.Organizations(b, open(b, newDatabase(b)), 1)
		var (
			running, writing sync.WaitGroup
			committed        sync.Map // times by content
			done             = make(chan struct{})
		)
		ctx, stop := context.WithCancel(b.Context())
		running.Go(func() { _ = apguard.New(store, apguard.Options{}).Run(ctx) })
		for i := range writers {
			writing.Go(func() {
				if i == 0 {
					for n := range batches {
						add := benchtest.AddCommand(n, allowlist.MaxItems)
						if _, err := store.AddToAllowlist(ctx, add); err != nil {
							b.Error(err)
						}
						committed.Store(add.Entries[allowlist.MaxItems-1].Asset.Canonical, time.Now())
					}
					return
				}
				for n := range sets {
					content := fmt.Sprintf("%d-%d", i, n)
					if err := setStatus(ctx, store, content, asset.StatusBlocked); err != nil {
						b.Error(err)
					}
					committed.Store(content, time.Now())
				}
			})
		}
		running.Go(func() {
			writing.Wait()
			close(done)
		})
		seen := make(map[string]time.Time)
		var after asset.FeedCursor
		for ending := false; ; {
			page, err := store.Since(ctx, after, asset.MaxLimit)
			require.NoError(b, err)
			for _, entry := range page.Items {
				seen[entry.Change.Content], after = time.Now(), entry.Cursor
			}
			if len(page.Items) == 0 && ending && len(seen) == batches*allowlist.MaxItems+(writers-1)*sets {
				break
			}
			select {
			case <-done:
				ending = true
			default:
			}
		}
		stop()
		running.Wait()
		var lags []float64
		committed.Range(func(content, at any) bool {
			lags = append(lags, float64(max(seen[content.(string)].Sub(at.(time.Time)), 0))/float64(time.Millisecond))
			return true
		})
		slices.Sort(lags)
		benchtest.Figures(b, map[string]float64{"ms/p50": lags[len(lags)/2], "ms/p99": lags[len(lags)*99/100]})
	}
}
