package hashlist

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// sorted draws sorted, different hashes, of which many are close to each other or to a limit.
func sorted(t *rapid.T, most int) []uint64 {
	hash := rapid.OneOf(rapid.Uint64(), rapid.Uint64Max(20), rapid.Uint64Range(math.MaxUint64-20, math.MaxUint64))
	hashes := rapid.SliceOfN(hash, 0, most).Draw(t, "hashes")
	slices.Sort(hashes)
	return slices.Compact(hashes)
}

// A set has the hashes that it was made of, wherever they are.
func TestSet_law(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		hashes := sorted(t, 200)
		s := newSet(hashes)
		for _, hash := range slices.Concat(hashes, sorted(t, 50), []uint64{0, math.MaxUint64}) {
			require.Equal(t, slices.Contains(hashes, hash), s.has(hash), "%x", hash)
		}
	})
}

// All hashes of one bucket are found, so that prepared hashes cost no more than a binary search.
func TestSet_oneBucket(t *testing.T) {
	t.Parallel()
	for _, first := range []uint64{0, 1 << 40, math.MaxUint64 - 9999} {
		hashes := make([]uint64, 10_000)
		for i := range hashes {
			hashes[i] = first + uint64(i)
		}
		s := newSet(hashes)
		for _, hash := range hashes {
			require.True(t, s.has(hash))
		}
		require.False(t, s.has(first-1))
		require.False(t, s.has(first+10_000))
	}
}

func TestSet_many(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewChaCha8([32]byte{}))
	hashes := make([]uint64, 100_000)
	for i := range hashes {
		hashes[i] = random.Uint64()
	}
	slices.Sort(hashes)
	s := newSet(hashes)
	for _, hash := range hashes {
		require.True(t, s.has(hash))
		require.False(t, s.has(hash+1))
	}
}

func TestSet_zero(t *testing.T) {
	t.Parallel()
	var s set
	require.False(t, s.has(0))
}
