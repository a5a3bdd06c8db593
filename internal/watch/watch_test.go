package watch_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/watch"
)

// Times are those of the bubble.
func TestWatch_Wait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var value, looks atomic.Int64
		w := watch.New(time.Second, func(context.Context) (int64, error) {
			looks.Add(1)
			return value.Load(), nil
		}, func(a, b int64) bool { return a == b })
		isOne := func(found int64) (bool, error) { return found == 1, nil }
		ended := make(chan error, 10)
		for range cap(ended) {
			go func() { ended <- w.Wait(t.Context(), isOne) }()
		}
		time.Sleep(time.Minute)
		require.LessOrEqual(t, looks.Load(), int64(61), "all calls share the looks")
		require.Empty(t, ended)
		value.Store(1)
		began := time.Now()
		for range cap(ended) {
			require.NoError(t, <-ended)
		}
		require.LessOrEqual(t, time.Since(began), time.Second)

		looks.Store(0)
		time.Sleep(time.Minute)
		require.LessOrEqual(t, looks.Load(), int64(1), "nothing is read while no call waits")

		refused := errors.New("refused")
		require.ErrorIs(t, w.Wait(t.Context(), func(int64) (bool, error) { return false, refused }), refused)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		require.ErrorIs(t, w.Wait(ctx, func(int64) (bool, error) { return false, nil }), context.DeadlineExceeded)
	})
}

func TestWatch_Wait_Fails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		hangs := watch.New(time.Second, func(ctx context.Context) (int, error) {
			<-ctx.Done()
			return 0, ctx.Err()
		}, func(a, b int) bool { return a == b })
		began := time.Now()
		require.ErrorIs(t, hangs.Wait(t.Context(), func(int) (bool, error) { return false, nil }), context.DeadlineExceeded)
		require.Equal(t, 10*time.Second, time.Since(began), "a store that hangs")
	})
}
