package limit_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/httpapi/limit"
)

// The times are those of a bubble of synctest.
func TestWork(t *testing.T) {
	t.Parallel()
	const timeout = 30 * time.Second
	for reason, c := range map[string]struct {
		// part is the time of the first part, and client that of the client after it.
		part, client time.Duration
		late         bool
	}{
		"in time":              {timeout - 1, 0, false},
		"late":                 {timeout + 1, 0, true},
		"at the end":           {timeout, 0, true},
		"before a slow client": {timeout - 1, time.Hour, false},
		"late, and a client":   {timeout + 1, time.Hour, true},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				first, work := limit.Start(t.Context(), timeout)
				time.Sleep(c.part)
				synctest.Wait()
				require.Equal(t, c.late, first.Err() != nil)
				if c.late {
					require.Equal(t, context.DeadlineExceeded, context.Cause(first))
				}
				second := work.PauseAfter(t.Context(), first)
				time.Sleep(c.client)
				work.Resume()
				require.Equal(t, c.late, first != second, "parts in time share a context")
				time.Sleep(timeout - 1)
				require.NoError(t, second.Err(), "the second part has the whole time")
				time.Sleep(time.Nanosecond)
				synctest.Wait()
				require.Equal(t, context.DeadlineExceeded, context.Cause(second))
				work.End()
			})
		})
	}
}

// Only the present part has the other time.
func TestWork_Extend(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, work := limit.Start(t.Context(), time.Second)
		defer work.End()
		work.Extend(time.Hour)
		time.Sleep(time.Hour - 1)
		require.NoError(t, ctx.Err())
		work.Resume()
		time.Sleep(time.Second)
		synctest.Wait()
		require.Equal(t, context.DeadlineExceeded, context.Cause(ctx))
	})
}

func TestWork_End(t *testing.T) {
	t.Parallel()
	ctx, work := limit.Start(t.Context(), time.Hour)
	work.End()
	require.Equal(t, context.Canceled, context.Cause(ctx))
}

func TestCause(t *testing.T) {
	t.Parallel()
	late, cancel := context.WithCancelCause(t.Context())
	cancel(context.DeadlineExceeded)
	require.ErrorIs(t, limit.Cause(late, context.Canceled), context.DeadlineExceeded)
	require.NotErrorIs(t, limit.Cause(late, errBroken), context.DeadlineExceeded, "another error")
	require.NotErrorIs(t, limit.Cause(t.Context(), context.Canceled), context.DeadlineExceeded, "of another context")
}

func TestDetach(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		request, disconnect := context.WithTimeout(t.Context(), time.Minute)
		ctx, cancel := limit.Detach(request)
		defer cancel()
		disconnect()
		require.NoError(t, ctx.Err(), "the client has disconnected")
		time.Sleep(time.Minute)
		synctest.Wait()
		require.ErrorIs(t, ctx.Err(), context.DeadlineExceeded, "the deadline of the host")
	})
}
