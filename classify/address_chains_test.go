package classify

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestChainNames(t *testing.T) {
	t.Parallel()
	names := strings.Split(strings.TrimSuffix(chainNames, "\n"), "\n")
	require.True(t, slices.IsSorted(names))
	require.Len(t, slices.Compact(slices.Clone(names)), len(names))
	for _, name := range names {
		require.True(t, isASCIIName(name, "-_") && name == strings.ToLower(name), name)
		require.True(t, hasLength(name, 1, maxAddressScheme), name)
		require.True(t, isChainName(name), name)
		_, isPayment := paymentNetwork(name)
		_, isNamespace := accountNetwork(name, "1")
		require.False(t, isPayment || isNamespace || isWebScheme(name), "%s has another meaning", name)
	}
	require.False(t, isChainName(""))
	require.False(t, isChainName("et"))
	require.False(t, isChainName("eth\nexp"))
}
