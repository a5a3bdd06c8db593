package follow_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/follow"
)

// Work is repeated at the interval, and less often while it fails. A failure is reported once.
func TestRun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		began := time.Now()
		var (
			times   []time.Duration
			reports []string
		)
		away, broken := errors.New("away"), errors.New("broken")
		results := []error{nil, nil, away, away, broken, nil, away, away, away, away, away, away, nil, nil}
		err := follow.Run(ctx, time.Second, func(context.Context) error {
			times = append(times, time.Since(began)/time.Second)
			if len(times) == len(results) {
				stop()
			}
			return results[len(times)-1]
		}, func(err error) { reports = append(reports, err.Error()) })
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, []time.Duration{0, 1, 2, 4, 8, 16, 17, 19, 23, 31, 47, 77, 107, 108}, times)
		require.Equal(t, []string{"away", "broken", "away"}, reports)
	})
}

// The work that ends because of the context is not reported.
func TestRun_canceled(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	err := follow.Run(ctx, time.Hour, func(ctx context.Context) error {
		stop()
		return ctx.Err()
	}, func(err error) { t.Errorf("reported: %v", err) })
	require.ErrorIs(t, err, context.Canceled)
}

func TestWait_canceled(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	require.ErrorIs(t, follow.Wait(ctx, time.Hour), context.Canceled)
}
