package limit_test

import (
	"math"
	"net/netip"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/httpapi/limit"
)

// now is the time at which the clocks of the tests start.
var now = time.Date(2025, 6, 1, 12, 0, 0, 123456789, time.UTC)

// testClock is a clock that tests set.
type testClock struct {
	mu  sync.Mutex
	now time.Time
}

func newTestClock() *testClock { return &testClock{now: now} }

func (c *testClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *testClock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func newRate(t require.TestingT, opts limit.RateOptions) *limit.Rate {
	rate, err := limit.NewRate(opts)
	require.NoError(t, err)
	return rate
}

func TestNewRate_Errors(t *testing.T) {
	t.Parallel()
	for reason, opts := range map[string]limit.RateOptions{
		"a negative rate":         {Rate: -1},
		"a rate that is none":     {Rate: math.NaN()},
		"an endless rate":         {Rate: math.Inf(1)},
		"a negative burst":        {Burst: -1},
		"a burst that is too big": {Burst: math.MaxInt32 + 1},
		"a negative failed rate":  {FailedRate: -0.1},
		"a negative failed burst": {FailedBurst: -1},
	} {
		rate, err := limit.NewRate(opts)
		require.ErrorIs(t, err, limit.ErrOptions, reason)
		require.Nil(t, rate)
	}
	newRate(t, limit.RateOptions{Rate: math.MaxInt32, Burst: math.MaxInt32})
}

func TestRate_Admit(t *testing.T) {
	t.Parallel()
	const second = time.Second
	for reason, c := range map[string]struct {
		opts  limit.RateOptions
		quota int64
		// window is the time of the quota, and retry that until the next request is admitted.
		window, retry time.Duration
	}{
		"a burst":                     {limit.RateOptions{Rate: 2, Burst: 5}, 5, 2500 * time.Millisecond, second / 2},
		"no burst":                    {limit.RateOptions{Rate: 4}, 4, second, second / 4},
		"a rate below one":            {limit.RateOptions{Rate: 0.5}, 1, 2 * second, 2 * second},
		"a rate with a part":          {limit.RateOptions{Rate: 1.25}, 2, 1600 * time.Millisecond, 800 * time.Millisecond},
		"a rate with a burst of one":  {limit.RateOptions{Rate: 100, Burst: 1}, 1, second / 100, second / 100},
		"a rate of nearly nothing":    {limit.RateOptions{Rate: 1e-300}, 1, 1 << 62, 1 << 62},
		"failures have another limit": {limit.RateOptions{Rate: 1, FailedRate: 5, FailedBurst: 5}, 1, second, second},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			clock := newTestClock()
			c.opts.Clock = clock.Now
			rate := newRate(t, c.opts)
			admit := func(caller string) error {
				_, err := rate.Admit(t.Context(), limit.Request{Caller: caller})
				return err
			}
			for range c.quota {
				require.NoError(t, admit("a"))
			}
			want := &limit.Error{Policy: limit.PolicyRate, Quota: c.quota, Window: c.window, RetryAfter: c.retry}
			require.Equal(t, want, admit("a"))
			require.NoError(t, admit("b"), "another caller")
			if c.retry > time.Hour {
				return
			}
			clock.advance(c.retry - time.Millisecond)
			require.Error(t, admit("a"))
			clock.advance(time.Millisecond)
			require.NoError(t, admit("a"))
			require.Error(t, admit("a"))
			clock.advance(-time.Hour)
			require.Error(t, admit("a"), "a clock that is set back grants nothing")
		})
	}
}

func TestRate_Allow(t *testing.T) {
	t.Parallel()
	clock := newTestClock()
	rate := newRate(t, limit.RateOptions{FailedRate: 0.5, FailedBurst: 3, Clock: clock.Now})
	allow := func(client string) error { return rate.Allow(t.Context(), netip.MustParseAddr(client)) }
	fail := func(clients ...string) {
		for _, client := range clients {
			require.NoError(t, allow(client))
			rate.Failed(t.Context(), netip.MustParseAddr(client))
		}
	}
	for range 10 {
		require.NoError(t, allow("192.0.2.1"), "asking costs nothing")
	}
	fail("192.0.2.1", "192.0.2.1", "192.0.2.1")
	want := &limit.Error{Policy: limit.PolicyFailedRate, Quota: 3, Window: 6 * time.Second, RetryAfter: 2 * time.Second}
	require.Equal(t, want, allow("192.0.2.1"))
	require.NoError(t, allow("192.0.2.2"), "another client")
	clock.advance(2*time.Second - 1)
	require.Error(t, allow("192.0.2.1"))
	clock.advance(1)
	fail("192.0.2.1")
	require.Error(t, allow("192.0.2.1"))

	fail("2001:db8::1", "2001:db8::2", "2001:db8::3")
	require.Error(t, allow("2001:db8::ffff:ffff:ffff:ffff"), "the same IPv6 network")
	require.NoError(t, allow("2001:db8:0:1::"), "another network")

	var none netip.Addr
	for range 3 {
		require.NoError(t, rate.Allow(t.Context(), none))
		rate.Failed(t.Context(), none)
	}
	require.Error(t, rate.Allow(t.Context(), none), "clients without an address share a limit")
}

func TestRate_zeroOptions(t *testing.T) {
	t.Parallel()
	rate := newRate(t, limit.RateOptions{Burst: 1, FailedBurst: 1})
	for range 100 {
		_, err := rate.Admit(t.Context(), limit.Request{Caller: "a"})
		require.NoError(t, err)
		rate.Failed(t.Context(), netip.Addr{})
		require.NoError(t, rate.Allow(t.Context(), netip.Addr{}))
	}
}

// A caller never makes more requests than the burst and the rate allow.
func TestRate_law(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		opts := limit.RateOptions{
			Rate:  rapid.Float64Range(0.01, 100).Draw(rt, "rate"),
			Burst: rapid.IntRange(1, 20).Draw(rt, "burst"),
		}
		clock := newTestClock()
		opts.Clock = clock.Now
		rate := newRate(rt, opts)
		var admitted []time.Time
		for range rapid.IntRange(1, 100).Draw(rt, "requests") {
			clock.advance(time.Duration(rapid.Int64Range(0, int64(time.Second)).Draw(rt, "pause")))
			_, err := rate.Admit(t.Context(), limit.Request{Caller: "a"})
			if err == nil {
				admitted = append(admitted, clock.Now())
				continue
			}
			var refused *limit.Error
			require.ErrorAs(rt, err, &refused)
			require.Positive(rt, refused.RetryAfter)
		}
		for i, from := range admitted {
			for j := i; j < len(admitted); j++ {
				most := float64(opts.Burst) + opts.Rate*admitted[j].Sub(from).Seconds()
				require.LessOrEqual(rt, float64(j-i+1), most+1e-6)
			}
		}
	})
}

func TestRate_forgetsTheOldest(t *testing.T) {
	t.Parallel()
	rate := newRate(t, limit.RateOptions{Rate: 1e-9, Burst: 1, FailedRate: 1e-9, FailedBurst: 1, Clock: newTestClock().Now})
	ctx := t.Context()
	admit := func(caller string) bool {
		_, err := rate.Admit(ctx, limit.Request{Caller: caller})
		return err == nil
	}
	client := func(i int) netip.Addr { return netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}) }
	require.True(t, admit("a"))
	require.True(t, admit("used"))
	rate.Failed(ctx, client(0))
	for i := range 8_000 {
		require.True(t, admit(strconv.Itoa(i)))
		rate.Failed(ctx, client(i))
	}
	require.False(t, admit("a"))
	require.Error(t, rate.Allow(ctx, client(0)))
	for i := range 20_000 {
		require.True(t, admit("later"+strconv.Itoa(i)))
		rate.Failed(ctx, client(100_000+i))
		if i%1000 == 0 {
			require.False(t, admit("used"), "callers that are active are remembered")
		}
	}
	require.True(t, admit("a"))
	require.NoError(t, rate.Allow(ctx, client(0)))
}

func TestRate_concurrent(t *testing.T) {
	t.Parallel()
	rate := newRate(t, limit.RateOptions{Rate: 1e-9, Burst: 50})
	var (
		group    sync.WaitGroup
		admitted atomic.Int64
	)
	for range 20 {
		group.Go(func() {
			for range 5 {
				if _, err := rate.Admit(t.Context(), limit.Request{Caller: "a"}); err == nil {
					admitted.Add(1)
				}
			}
		})
	}
	group.Wait()
	require.EqualValues(t, 50, admitted.Load())
}
