package mirror

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
)

// assetsOf returns the assets of a table by their hashes.
func assetsOf(t *table) map[uint64]asset.Known {
	found := make(map[uint64]asset.Known)
	for slot, hash := range t.hashes {
		if hash != 0 {
			found[hash] = t.asset(slot, asset.Identity{})
		}
	}
	return found
}

// drawnBasis returns one of few bases, so that some are shared and others come back.
func drawnBasis(t *rapid.T) asset.Basis {
	basis := asset.Basis{Reason: rapid.SampledFrom(reasons).Draw(t, "reason")}
	if rapid.Bool().Draw(t, "whole") {
		basis.By, basis.ListID, basis.List = asset.SourceList, 1, "a list"
		basis.Note = rapid.SampledFrom([]string{"", "a note", "another"}).Draw(t, "note")
		basis.Since = time.UnixMilli(rapid.Int64Range(-1, 2).Draw(t, "since")).UTC()
	}
	return basis
}

// The hashes have few homes, so that they are in long runs that go around the end.
func TestTable(t *testing.T) {
	t.Parallel()
	for name, kept := range map[string]bool{"with bases": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) { changeTable(t, kept) })
		})
	}
}

// changeTable changes a table that keeps bases or not.
func changeTable(t *rapid.T, keepsBases bool) {
	hash := rapid.Custom(func(t *rapid.T) uint64 {
		return rapid.Uint64Range(0, 2).Draw(t, "high")<<32 + rapid.Uint64Range(1, 40).Draw(t, "low")
	})
	var got table
	if keepsBases {
		got.bases = newBases()
	}
	want := make(map[uint64]asset.Known)
	t.Repeat(map[string]func(*rapid.T){
		"put": func(t *rapid.T) {
			if got.full() {
				got = got.grown()
			}
			h, a := hash.Draw(t, "hash"), asset.Known{Basis: drawnBasis(t)}
			a.ID = rapid.Int64Range(1, 4).Draw(t, "ID")
			a.Status = rapid.SampledFrom([]asset.Status{asset.StatusAllowed, asset.StatusBlocked}).Draw(t, "status")
			got.put(h, a)
			if !keepsBases {
				a.Basis = asset.Basis{Reason: a.Reason}
			}
			want[h] = a
		},
		"remove": func(t *rapid.T) {
			h := hash.Draw(t, "hash")
			got.remove(h)
			delete(want, h)
		},
		"": func(t *rapid.T) {
			require.Equal(t, len(want), got.used)
			require.Equal(t, want, assetsOf(&got))
			for hash := range want {
				_, ok := got.find(hash)
				require.True(t, ok, "%d", hash)
				require.True(t, got.hasAny([]uint64{3<<32 + 1, 0, hash}), "%d", hash)
			}
			_, ok := got.find(3<<32 + 1)
			require.False(t, ok)
			require.False(t, got.hasAny([]uint64{3<<32 + 1, 0, 3<<32 + 2}))
			if keepsBases {
				requirePooled(t, got.bases.pool, want)
			}
		},
	})
}

// requirePooled requires that a pool has the parts of the assets, and nothing else.
func requirePooled(t *rapid.T, pool *basisPool, assets map[uint64]asset.Known) {
	uses := make(map[basisPart]int)
	for _, a := range assets {
		uses[basisPart{a.By, a.ListID, a.List, a.Note}]++
	}
	require.Len(t, pool.index, len(uses))
	require.Len(t, pool.all, len(uses)+len(pool.free))
	for part, n := range uses {
		require.Equal(t, n, pool.uses[pool.index[part]], "%v", part)
	}
}

func TestEntry(t *testing.T) {
	t.Parallel()
	for _, id := range []int64{1, 2, asset.MaxID} {
		for _, status := range []asset.Status{asset.StatusAllowed, asset.StatusBlocked} {
			for _, reason := range append(asset.Reasons(), "") {
				e := newEntry(asset.Known{Asset: asset.Asset{ID: id, Status: status}, Basis: asset.Basis{Reason: reason}})
				require.Equal(t, id, e.id())
				require.Equal(t, status, e.status())
				require.Equal(t, reason, e.reason())
			}
		}
	}
}
