package hashlist

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/check/hashlist/internal/wire"
)

// An update that is impossible is refused even if the checksum is that of what would be left.
func TestApply_impossible(t *testing.T) {
	t.Parallel()
	for reason, list := range map[string]wire.HashList{
		"the hash is present":          {Additions: wire.NewAdditions([]uint64{5}), Checksum: wire.Checksum([]uint64{1, 5, 5, 9})},
		"there is no such index":       {Removals: wire.NewRemovals([]uint32{3}), Checksum: wire.Checksum([]uint64{1, 5, 9})},
		"an index is beyond the end":   {Removals: wire.NewRemovals([]uint32{0, 7}), Checksum: wire.Checksum([]uint64{5, 9})},
		"there are more than can be":   {Removals: wire.NewRemovals([]uint32{0, 1, 2, 3}), Checksum: wire.Checksum(nil)},
		"the checksum is of the old":   {Additions: wire.NewAdditions([]uint64{6}), Checksum: wire.Checksum([]uint64{1, 5, 9})},
		"the checksum has another end": {Checksum: append(wire.Checksum([]uint64{1, 5, 9}), 0)},
	} {
		_, err := apply([]uint64{1, 5, 9}, list)
		require.Error(t, err, reason)
	}
}

// A hash may be removed and added again.
func TestApply_again(t *testing.T) {
	t.Parallel()
	got, err := apply([]uint64{1, 5, 9}, wire.HashList{
		Removals: wire.NewRemovals([]uint32{1}), Additions: wire.NewAdditions([]uint64{5, 10}), Checksum: wire.Checksum([]uint64{1, 5, 9, 10}),
	})
	require.NoError(t, err)
	require.Equal(t, []uint64{1, 5, 9, 10}, got)
}
