package hashlist

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/hashwire"
)

// An update that is impossible is refused even if the checksum is that of what would be left.
func TestApply_impossible(t *testing.T) {
	t.Parallel()
	for reason, list := range map[string]hashwire.HashList{
		"the hash is present":          {Additions: hashwire.NewAdditions([]uint64{5}), Checksum: hashwire.Checksum([]uint64{1, 5, 5, 9})},
		"there is no such index":       {Removals: hashwire.NewRemovals([]uint32{3}), Checksum: hashwire.Checksum([]uint64{1, 5, 9})},
		"an index is beyond the end":   {Removals: hashwire.NewRemovals([]uint32{0, 7}), Checksum: hashwire.Checksum([]uint64{5, 9})},
		"there are more than can be":   {Removals: hashwire.NewRemovals([]uint32{0, 1, 2, 3}), Checksum: hashwire.Checksum(nil)},
		"the checksum is of the old":   {Additions: hashwire.NewAdditions([]uint64{6}), Checksum: hashwire.Checksum([]uint64{1, 5, 9})},
		"the checksum has another end": {Checksum: append(hashwire.Checksum([]uint64{1, 5, 9}), 0)},
	} {
		_, err := apply([]uint64{1, 5, 9}, list)
		require.Error(t, err, reason)
	}
}

// A hash may be removed and added again.
func TestApply_again(t *testing.T) {
	t.Parallel()
	got, err := apply([]uint64{1, 5, 9}, hashwire.HashList{
		Removals: hashwire.NewRemovals([]uint32{1}), Additions: hashwire.NewAdditions([]uint64{5, 10}), Checksum: hashwire.Checksum([]uint64{1, 5, 9, 10}),
	})
	require.NoError(t, err)
	require.Equal(t, []uint64{1, 5, 9, 10}, got)
}
