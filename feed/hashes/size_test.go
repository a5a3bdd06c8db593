package hashes_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/feed/hashes"
	"github.com/apguard/apguard/internal/test/benchtest"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage/memory"
)

// What 1,000,000 assets and a day of changes take.
func TestOrigin_size(t *testing.T) {
	testsize.Measurement(t)
	store := memory.New()
	setHosts(t, store, 0, 900_000, asset.StatusBlocked)
	setHosts(t, store, 900_000, 100_000, asset.StatusAllowed)

	before := benchtest.Heap()
	o := newOrigin(store, hashes.Options{})
	began := time.Now()
	refresh(t, o)
	t.Logf("filled in %v", time.Since(began))
	filled := benchtest.Heap() - before
	began = time.Now()
	whole := since(t, o, "")
	t.Logf("whole lists made in %v, %d bytes", time.Since(began), len(whole.Data))
	require.Less(t, len(whole.Data), 5_800_000)
	requested := benchtest.Heap() - before
	t.Logf("an origin takes %d kB, %d kB after a request", filled/1000, requested/1000)
	require.Less(t, requested, 36_000_000)

	setHosts(t, store, 1_000_000, 600, asset.StatusBlocked)
	setHosts(t, store, 400, 400, asset.StatusUnknown)
	began = time.Now()
	refresh(t, o)
	t.Logf("1,000 changes added in %v", time.Since(began))
	began = time.Now()
	day := since(t, o, whole.Version)
	t.Logf("a difference made in %v, %d bytes", time.Since(began), len(day.Data))
	require.NotEmpty(t, day.Since)
	require.Less(t, len(day.Data), 10_000)

	runtime.KeepAlive(o)
}
