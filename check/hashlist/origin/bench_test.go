package origin_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/hashlist/origin"
	"github.com/apguard/apguard/storage/memory"
)

// BenchmarkOrigin measures an Origin of 1,000,000 assets: a first read, a read that finds a change, and
// a difference of 1,000 changes.
func BenchmarkOrigin(b *testing.B) {
	n := 1_000_000
	if testing.Short() {
		n = 10_000
	}
	store := memory.New()
	setHosts(b, store, 0, n, asset.StatusBlocked)
	o := newOrigin(store, origin.Options{})
	require.NoError(b, o.Refresh(b.Context()))
	first, err := o.Since("")
	require.NoError(b, err)
	setHosts(b, store, n, 1000, asset.StatusAllowed)
	n += 1000
	require.NoError(b, o.Refresh(b.Context()))
	b.Run("fill", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			require.NoError(b, newOrigin(store, origin.Options{}).Refresh(b.Context()))
		}
	})
	b.Run("difference", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			b.StopTimer() // a difference is made once
			setHosts(b, store, n, 1, asset.StatusBlocked)
			n++
			require.NoError(b, o.Refresh(b.Context()))
			b.StartTimer()
			response, err := o.Since(first.Version)
			require.NoError(b, err)
			require.NotEmpty(b, response.Since)
		}
	})
	b.Run("change", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			setHosts(b, store, n, 1, asset.StatusBlocked)
			n++
			require.NoError(b, o.Refresh(b.Context()))
		}
	})
}
