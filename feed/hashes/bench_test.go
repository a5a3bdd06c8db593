package hashes_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/feed/hashes"
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
	o := newOrigin(store, hashes.Options{})
	refresh(b, o)
	first, err := o.Since("")
	require.NoError(b, err)
	setHosts(b, store, n, 1000, asset.StatusAllowed)
	n += 1000
	refresh(b, o)
	b.Run("fill", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			o := newOrigin(store, hashes.Options{})
			refresh(b, o)
		}
	})
	b.Run("difference", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			b.StopTimer() // a difference is made once
			setHosts(b, store, n, 1, asset.StatusBlocked)
			n++
			refresh(b, o)
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
			refresh(b, o)
		}
	})
}
