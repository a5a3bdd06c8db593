package phishlist

import (
	"hash/maphash"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFilterTellsFewHashesWrong takes numbers for hosts. One of twenty is expected to
// be taken for an entry by mistake.
func TestFilterTellsFewHashesWrong(t *testing.T) {
	t.Parallel()
	const entries = 20_000
	seed := maphash.MakeSeed()
	f := newFilter(entries)
	for i := range entries {
		f.add(maphash.Comparable(seed, i))
	}
	for i := range entries {
		require.True(t, f.mayHave(maphash.Comparable(seed, i)))
	}
	wrong := 0
	for i := range entries {
		if f.mayHave(maphash.Comparable(seed, entries+i)) {
			wrong++
		}
	}
	require.Less(t, wrong, entries/10)
}
