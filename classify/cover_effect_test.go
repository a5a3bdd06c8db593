package classify_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/classify"
)

func TestCoverEffect_text(t *testing.T) {
	t.Parallel()
	for effect, want := range map[classify.CoverEffect]string{
		classify.CoverDecides:   `{"type":"","canonical":"","kind":"","step":0}`,
		classify.CoverBlocks:    `{"type":"","canonical":"","kind":"","step":0,"effect":"BLOCKS"}`,
		classify.CoverWithholds: `{"type":"","canonical":"","kind":"","step":0,"effect":"WITHHOLDS"}`,
	} {
		cover := classify.Cover{Effect: effect}
		text, err := json.Marshal(cover)
		require.NoError(t, err)
		require.JSONEq(t, want, string(text))

		read := classify.Cover{Effect: 9}
		require.NoError(t, json.Unmarshal(text, &read))
		if effect != classify.CoverDecides { // which JSON omits
			require.Equal(t, cover, read)
		}
	}
	var effect classify.CoverEffect
	require.Error(t, effect.UnmarshalText([]byte("DECIDES")))
	require.Error(t, effect.UnmarshalText([]byte(classify.CoverEffect(3).String())))
}
