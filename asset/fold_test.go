package asset_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
)

func TestFoldCase(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		a, b string
		want bool
	}{
		"ASCII letters":                                {"aBc", "AbC", true},
		"the Kelvin sign is a K":                       {"\u212a", "k", true},
		"the three sigmas of Greek":                    {"ΣΣ", "σς", true},
		"the long s is an s":                           {"\u017f", "S", true},
		"a sharp s is not two":                         {"ß", "ss", false},
		"a sharp s and its capital":                    {"ß", "\u1e9e", true},
		"a dotted capital I is a letter of its own":    {"\u0130", "i", false},
		"an accent counts":                             {"e", "é", false},
		"composed and decomposed stay different":       {"\u00e9", "e\u0301", false},
		"letters beyond the first plane":               {"\U00010400", "\U00010428", true},
		"signs that are no letters stay what they are": {"100%_\U0001F600", "100%_\U0001F600", true},
		"Cyrillic":                           {"ПРИМЕР", "пример", true},
		"a Greek word with its final sigma":  {"ΟΔΥΣΣΕΥΣ", "οδυσσευς", true},
		"a name":                             {"Ada ACME", "aDA acme", true},
		"a script without letter case":       {"例え", "例え", true},
		"a dotless i is a letter of its own": {"ı", "i", false},
	} {
		require.Equal(t, c.want, asset.FoldCase(c.a) == asset.FoldCase(c.b), reason)
	}
	rapid.Check(t, func(t *rapid.T) {
		folded := asset.FoldCase(rapid.String().Draw(t, "text"))
		require.Equal(t, folded, asset.FoldCase(folded))
	})
}
