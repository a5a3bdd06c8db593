package layout_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/internal/suffix/layout"
)

func TestNewEntry(t *testing.T) {
	t.Parallel()
	rules := string(make([]byte, layout.MaxOffset+layout.MaxLength))
	flags := []layout.Flag{
		layout.Rule, layout.Wildcard, layout.Exception,
		layout.PrivateRule, layout.PrivateWildcard, layout.PrivateException, layout.Longer,
	}
	rapid.Check(t, func(t *rapid.T) {
		offset := rapid.IntRange(0, layout.MaxOffset).Draw(t, "offset")
		length := rapid.IntRange(0, layout.MaxLength).Draw(t, "length")
		set := rapid.SampledFrom(flags).Draw(t, "flag")

		marked := rules[:offset] + "x" + rules[offset:]
		entry := layout.NewEntry(offset, length, set)
		require.Len(t, entry.Name(rules), length)
		if length > 0 {
			require.Equal(t, byte('x'), entry.Name(marked)[0])
		}
		for _, flag := range flags {
			require.Equal(t, flag == set, entry.Has(flag))
		}
	})
}

func TestHash(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		hash := layout.Hash(rapid.Uint64().Draw(t, "hash"))
		seed := rapid.Uint8().Draw(t, "seed")
		require.True(t, 0 <= hash.Seed() && hash.Seed() < layout.Seeds)
		require.True(t, 0 <= hash.Slot(seed) && hash.Slot(seed) < layout.Slots)
	})
}
