package phishlist

import (
	"hash/maphash"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBloomFilter_FalsePositives expects one false positive in twenty and accepts two.
func TestBloomFilter_FalsePositives(t *testing.T) {
	t.Parallel()
	const entries = 20_000
	seed := maphash.MakeSeed()
	f := newBloomFilter(entries)
	for i := range entries {
		f.add(maphash.Comparable(seed, i))
	}
	for i := range entries {
		require.True(t, f.mayContain(maphash.Comparable(seed, i)))
	}
	positives := 0
	for i := range entries {
		if f.mayContain(maphash.Comparable(seed, entries+i)) {
			positives++
		}
	}
	require.Less(t, positives, entries/10)
}
