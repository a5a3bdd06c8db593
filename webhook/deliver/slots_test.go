package deliver

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// fill takes slots until there is no room, and returns them.
func fill(s *slots, failing bool) []*slot {
	var all []*slot
	for {
		taken, _ := s.try(failing)
		if taken == nil {
			return all
		}
		all = append(all, taken)
	}
}

func TestSlots_Bound(t *testing.T) {
	t.Parallel()
	const concurrency = 2
	s := newSlots(concurrency)
	slow := make([]*slot, 0, concurrency*(1+slowFactor))
	for range 1 + slowFactor {
		taken := fill(s, false)
		require.Len(t, taken, concurrency)
		for _, each := range taken {
			each.slowDown()
			each.slowDown()
		}
		slow = append(slow, taken...)
	}
	require.Empty(t, fill(s, false), "slow endpoints have no more room")
	slow[0].leave()
	taken := fill(s, false)
	require.Len(t, taken, 1, "one has left")
	taken[0].leave()
	taken[0].slowDown() // too late
	for _, each := range slow[1:] {
		each.leave()
	}
	require.Zero(t, s.all)
	require.Zero(t, s.slow)
}

func TestSlots_Failing(t *testing.T) {
	t.Parallel()
	s := newSlots(4)
	failing := fill(s, true)
	require.Len(t, failing, 2, "half of the concurrency")
	for _, each := range failing {
		each.slowDown()
	}
	require.Empty(t, fill(s, true), "they stay within it when they are slow")
	_, ok, err := s.take(t.Context(), true)
	require.NoError(t, err)
	require.False(t, ok, "there is no wait for it")
	failing[0].leave()
	require.Len(t, fill(s, true), 1)
}

func TestSlots_Take_Waits(t *testing.T) {
	t.Parallel()
	for reason, free := range map[string]func(*slot){"one leaves": (*slot).leave, "one is slow": (*slot).slowDown} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newSlots(2)
				before := fill(s, false)
				ctx, cancel := context.WithCancel(t.Context())
				var taken, ended atomic.Int64
				for range 3 {
					go func() {
						if _, _, err := s.take(ctx, false); err != nil {
							ended.Add(1)
							return
						}
						taken.Add(1)
					}()
				}
				for n, each := range before {
					synctest.Wait()
					require.EqualValues(t, n, taken.Load())
					free(each)
				}
				synctest.Wait()
				require.EqualValues(t, 2, taken.Load())
				cancel()
				synctest.Wait()
				require.EqualValues(t, 1, ended.Load())
			})
		})
	}
}
