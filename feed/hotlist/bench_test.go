package hotlist_test

import (
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/feed/hotlist"
	"github.com/apguard/apguard/internal/test/benchtest"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
)

// block blocks hosts with the numbers.
func block(tb testing.TB, store storage.Store, first, n int) {
	tb.Helper()
	for n > 0 {
		items := make([]asset.StatusItem, min(n, asset.MaxItems))
		for i := range items {
			identity := asset.Identity{Type: asset.TypePage, Canonical: fmt.Sprintf("host%d.example.com", first+i)}
			items[i] = asset.StatusItem{Identity: identity, Status: asset.StatusBlocked}
		}
		_, err := asset.NewService(store, asset.Options{}).SetStatuses(tb.Context(), asset.SetStatusesRequest{Items: items})
		require.NoError(tb, err)
		first, n = first+len(items), n-len(items)
	}
}

// BenchmarkHotlist measures a Hotlist of 1,000,000 hosts: how it is filled and the memory that it then takes, a
// change and 1,000 of them until they are published, and responses to clients that have nothing, are 1,000
// changes behind, or as many as the history has.
func BenchmarkHotlist(b *testing.B) {
	n := 1_000_000
	if testing.Short() {
		n = 10_000
	}
	store := memory.New()
	block(b, store, 0, n)
	list := newHotlist(store, hotlist.Options{})
	b.Run("fill", func(b *testing.B) {
		for b.Loop() {
			list = followed{}
			before := benchtest.Heap()
			list = newHotlist(store, hotlist.Options{})
			require.NoError(b, list.Refresh(b.Context()))
			b.ReportMetric(float64(benchtest.Heap()-before)/float64(n), "bytes/host")
		}
	})
	for name, changes := range map[string]int{"change": 1, "changes": 1000} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				block(b, store, n, changes)
				n += changes
				b.StartTimer()
				require.NoError(b, list.Refresh(b.Context()))
			}
		})
	}
	for name, read := range map[string]func() (hotlist.Response, error){
		"stalelist":  list.Stalelist,
		"requests":   func() (hotlist.Response, error) { return list.RequestBlocklist(0) },
		"difference": func() (hotlist.Response, error) { return list.DiffsSince(stampOf(b, store, int64(n-1000))) },
		"history": func() (hotlist.Response, error) {
			return list.DiffsSince(stampOf(b, store, int64(max(n-hotlist.DefaultHistory, 0))))
		},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var size int64
			for b.Loop() {
				response, err := read()
				require.NoError(b, err)
				size, err = response.WriteTo(io.Discard)
				require.NoError(b, err)
			}
			b.ReportMetric(float64(size), "bytes")
		})
	}
}
