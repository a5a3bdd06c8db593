package follow_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/internal/follow"
)

func TestCursor_Lost(t *testing.T) {
	t.Parallel()
	future, other := asset.ErrFutureCursor, context.Canceled
	for reason, reads := range map[string]struct {
		errs []error
		lost bool
	}{
		"read":                           {[]error{nil}, false},
		"failed":                         {[]error{other}, false},
		"of another store":               {[]error{asset.ErrForeignCursor}, true},
		"pruned":                         {[]error{asset.ErrPrunedCursor}, true},
		"malformed":                      {[]error{asset.ErrMalformedCursor}, true},
		"beyond the end for a while":     {[]error{future, future, future}, false},
		"beyond the end for long":        {[]error{future, future, future, future}, true},
		"beyond the end, and still lost": {[]error{future, future, future, future, future}, true},
		"failed meanwhile":               {[]error{future, future, other, future, future}, true},
		"beyond the end again":           {[]error{future, future, nil, future, future}, false},
	} {
		var c follow.Cursor
		var lost bool
		for _, err := range reads.errs {
			lost = c.Lost(err)
		}
		require.Equal(t, reads.lost, lost, reason)
	}
}
