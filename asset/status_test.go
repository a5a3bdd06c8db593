package asset_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
)

func TestStatus_Valid(t *testing.T) {
	t.Parallel()
	require.Equal(t, []asset.Status{"UNKNOWN", "ALLOWED", "BLOCKED"}, asset.Statuses())
	for _, status := range asset.Statuses() {
		require.True(t, status.Valid(), status)
	}
	for reason, status := range map[string]asset.Status{
		"no status":                    "",
		"letter case counts":           "Blocked",
		"a status that does not exist": "PENDING",
	} {
		require.False(t, status.Valid(), reason)
	}
}
