package asset_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
)

func TestReason_Fits(t *testing.T) {
	t.Parallel()
	all := asset.Statuses()
	for reason, want := range map[asset.Reason][]asset.Status{
		"":                        all,
		asset.ReasonOther:         all,
		asset.ReasonFalsePositive: {asset.StatusUnknown, asset.StatusAllowed},
		asset.ReasonLegitimate:    {asset.StatusUnknown, asset.StatusAllowed},
		asset.ReasonPhishing:      {asset.StatusBlocked},
		asset.ReasonCompromised:   {asset.StatusBlocked},
		"WHIM":                    nil,
	} {
		for _, status := range all {
			require.Equal(t, slices.Contains(want, status), reason.Fits(status), "%q and %s", reason, status)
		}
	}
	for _, reason := range asset.Reasons() {
		require.True(t, reason.Valid())
	}
	require.False(t, asset.Reason("").Valid())
}
