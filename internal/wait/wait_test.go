package wait_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/wait"
)

// The clock of the test is not real.
func TestFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for reason, test := range map[string]struct {
			wakes, ends time.Duration // never if zero
			took        time.Duration
			woken       bool
			err         error
		}{
			"for the time":    {took: time.Minute},
			"until it wakes":  {wakes: time.Second, took: time.Second, woken: true},
			"until ctx ends":  {ends: time.Second, took: time.Second, err: context.DeadlineExceeded},
			"what is later":   {wakes: time.Hour, ends: time.Hour, took: time.Minute},
			"what is earlier": {wakes: time.Second, ends: 2 * time.Second, took: time.Second, woken: true},
		} {
			ctx, wake, began := t.Context(), make(chan struct{}, 1), time.Now()
			if test.ends > 0 {
				limited, cancel := context.WithTimeout(ctx, test.ends)
				defer cancel()
				ctx = limited
			}
			if test.wakes > 0 {
				defer time.AfterFunc(test.wakes, func() { wake <- struct{}{} }).Stop()
			}
			woken, err := wait.For(ctx, time.Minute, wake)
			require.ErrorIs(t, err, test.err, reason)
			require.Equal(t, test.woken, woken, reason)
			require.Equal(t, test.took, time.Since(began), reason)
		}
	})
}
