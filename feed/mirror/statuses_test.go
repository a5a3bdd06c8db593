package mirror

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/test/testsize"
)

// The test is not parallel, so that it measures nothing else.
func TestStatuses_memory(t *testing.T) { //nolint:paralleltest // see above
	testsize.Measurement(t)
	for name, test := range map[string]struct {
		bases    *bases
		maxBytes int64 // for a million assets
	}{
		"without bases": {nil, 48 << 20},
		"with bases":    {newBases(), 80 << 20},
	} {
		for _, size := range []int{100_000, 700_000, 1_000_000} {
			before := liveBytes()
			hash := uint64(0)
			s := &statuses{table: table{bases: test.bases.sized(0)}, hash: func(asset.Identity) uint64 {
				hash += 0x9e3779b97f4a7c15
				return hash
			}}
			for id := range int64(size) {
				if err := s.set(asset.Known{Asset: asset.Asset{ID: id + 1, Status: asset.StatusBlocked}}); err != nil {
					t.Fatal(err)
				}
			}
			took := liveBytes() - before
			require.Equal(t, size, s.table.used)
			require.LessOrEqual(t, took, int64(size)*test.maxBytes/1_000_000, "%s: %d assets", name, size)
			runtime.KeepAlive(s)
		}
	}
}

// liveBytes returns the size of the live heap.
func liveBytes() int64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
