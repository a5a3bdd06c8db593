package hotlist_test

import (
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists/hotlist"
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

// BenchmarkHotlist measures a Hotlist of 1,000,000 hosts: a read that finds a change, and
// responses to clients that have nothing, are 1,000 changes behind, or as many as the history has.
func BenchmarkHotlist(b *testing.B) {
	n := 1_000_000
	if testing.Short() {
		n = 10_000
	}
	store := memory.New()
	block(b, store, 0, n)
	list := newHotlist(store, hotlist.Options{})
	require.NoError(b, list.Refresh(b.Context()))
	change := func() {
		block(b, store, n, 1)
		n++
		require.NoError(b, list.Refresh(b.Context()))
	}
	b.Run("change", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			change()
		}
	})
	for name, read := range map[string]func() (hotlist.Response, error){
		"stalelist":  list.Stalelist,
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
