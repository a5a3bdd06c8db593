//go:build cgo

package sqlite_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/test/benchtest"
)

// BenchmarkSince reads pages of 1,000 changes of the feed of 100,000 changes.
// "x/changes" compares the rate with that of pages of the changelog.
func BenchmarkSince(b *testing.B) {
	changes := benchtest.Sized(100_000)
	pages := min(20, changes/asset.MaxLimit)
	store := open(b, filledChangelog(b, changes))
	for b.Loop() {
		times := benchtest.Medians(2*benchtest.Rounds+1,
			func(int) {
				var after asset.FeedCursor
				for range pages {
					page, err := store.Since(b.Context(), after, asset.MaxLimit)
					require.NoError(b, err)
					after = page.Last().Cursor
				}
			},
			func(int) {
				var after asset.ChangeCursor
				for range pages {
					page, err := store.Changes(b.Context(), asset.ListChangesRequest{Cursor: after, Limit: asset.MaxLimit})
					require.NoError(b, err)
					after = page.Last().Cursor()
				}
			})
		benchtest.Figures(b, map[string]float64{"ms/page": times[0] / float64(pages), "x/changes": times[1] / times[0]})
	}
}
