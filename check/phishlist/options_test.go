package phishlist_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/check/phishlist"
)

func TestOptions_MaxBytesAboveTheMaximum(t *testing.T) {
	t.Parallel()
	list, err := phishlist.Load(strings.NewReader(`{"blacklist": ["bad.com"]}`), phishlist.Options{MaxBytes: math.MaxInt64})
	require.NoError(t, err)
	require.True(t, list.Check("bad.com").Blocked)
}
