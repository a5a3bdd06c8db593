package source_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/internal/test/benchtest"
	"github.com/apguard/apguard/storage"
)

// BenchmarkFill fills a mirror over HTTP with 1,000,000 blocked pages, from each store. The origin is in
// the same process.
func BenchmarkFill(b *testing.B) {
	size := benchtest.Sized(1_000_000)
	for name, open := range map[string]func(testing.TB) storage.Store{"memory": newStore, "sqlite": newSQLite, "postgres": newPostgres} {
		b.Run(name, func(b *testing.B) {
			o := newOrigin(b, open(b))
			for first := 0; first < size; first += asset.MaxItems {
				items := make([]asset.StatusItem, asset.MaxItems)
				for i := range items {
					identity := asset.Identity{Type: asset.TypePage, Canonical: fmt.Sprintf("host-%d.example.com", first+i)}
					items[i] = asset.StatusItem{Identity: identity, Status: asset.StatusBlocked}
				}
				o.setStatuses(b, items)
			}
			for b.Loop() {
				took := benchtest.Medians(3, func(int) {
					m := newReplica(b, o, feed.Options{})
					stop := start(b, m)
					require.NoError(b, m.Sync(b.Context()))
					stop()
					require.Equal(b, size, m.Mirror.State().Assets)
				})
				benchtest.Figures(b, map[string]float64{"s/fill": took[0] / 1000, "µs/asset": took[0] * 1000 / float64(size)})
			}
		})
	}
}
