package mirror

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
)

// entriesOf returns the entries of a table by their hashes.
func entriesOf(t *table) map[uint64]entry {
	found := make(map[uint64]entry)
	for i, hash := range t.hashes {
		if hash != 0 {
			found[hash] = t.entries[i]
		}
	}
	return found
}

// The hashes have few homes, so that they are in long runs that go around the end.
func TestTable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		hash := rapid.Custom(func(t *rapid.T) uint64 {
			return rapid.Uint64Range(0, 2).Draw(t, "high")<<32 + rapid.Uint64Range(1, 40).Draw(t, "low")
		})
		var got table
		want := make(map[uint64]entry)
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				if got.full() {
					got = got.grown()
				}
				h, e := hash.Draw(t, "hash"), entry(rapid.Uint64Range(2, 9).Draw(t, "entry"))
				got.put(h, e)
				want[h] = e
			},
			"remove": func(t *rapid.T) {
				h := hash.Draw(t, "hash")
				got.remove(h)
				delete(want, h)
			},
			"": func(t *rapid.T) {
				require.Equal(t, len(want), got.used)
				require.True(t, maps.Equal(want, entriesOf(&got)), "%v, not %v", entriesOf(&got), want)
				for hash, e := range want {
					found, ok := got.get(hash)
					require.True(t, ok && found == e, "%d", hash)
					require.True(t, got.hasAny([]uint64{3<<32 + 1, 0, hash}), "%d", hash)
				}
				_, ok := got.get(3<<32 + 1)
				require.False(t, ok)
				require.False(t, got.hasAny([]uint64{3<<32 + 1, 0, 3<<32 + 2}))
			},
		})
	})
}

func TestEntry(t *testing.T) {
	t.Parallel()
	for _, id := range []int64{1, 2, asset.MaxID} {
		for _, status := range []asset.Status{asset.StatusAllowed, asset.StatusBlocked} {
			for _, reason := range append(asset.Reasons(), "") {
				want := asset.Known{Asset: asset.Asset{ID: id, Status: status}, Basis: asset.Basis{Reason: reason}}
				require.Equal(t, want, newEntry(want).asset(asset.Identity{}))
			}
		}
	}
}
