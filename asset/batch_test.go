package asset_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
)

func TestBatch_laws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		refused := errors.New("refused")
		names := rapid.SliceOf(rapid.SampledFrom([]string{"", "a", "b", "c"})).Draw(t, "names")
		batch := asset.NewBatch[int](len(names))
		seen := make(map[string]int)
		for i, name := range names {
			identity := asset.Identity{Type: asset.TypeURL, Canonical: name}
			first, found := batch.First(identity)
			require.Equal(t, seen[name], first, "the first item of %q", name)
			if name == "" {
				batch.Refuse(refused)
				continue
			}
			_, known := seen[name]
			require.Equal(t, known, found)
			batch.Add(identity, i)
			if !known {
				seen[name] = i
			}
		}
		require.Len(t, batch.Unique, len(seen))
		require.IsIncreasing(t, append([]int{-2, -1}, batch.Unique...), "the unique items keep their order")
		require.Len(t, batch.Places, len(names))
		for i, name := range names {
			if name == "" {
				require.Equal(t, asset.Place{Err: refused}, batch.Places[i])
				continue
			}
			require.Equal(t, seen[name], batch.Unique[batch.Places[i].Index])
			require.Equal(t, seen[name] != i, batch.Places[i].Duplicate)
			require.NoError(t, batch.Places[i].Err)
		}
	})
}
