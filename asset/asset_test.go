package asset_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
)

func TestValidID(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		id   int64
		want bool
	}{
		"identifiers begin at 1":              {1, true},
		"the largest whole number of JSON":    {asset.MaxID, true},
		"0 means none":                        {0, false},
		"no identifier is negative":           {-1, false},
		"JSON cannot carry 2^53 unmistakably": {asset.MaxID + 1, false},
	} {
		require.Equal(t, c.want, asset.ValidID(c.id), reason)
	}
}
