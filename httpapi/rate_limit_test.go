package httpapi_test

import (
	"context"
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/storage"
)

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

func newRateLimit(t *testing.T, opts httpapi.RateLimitOptions) *httpapi.RateLimit {
	t.Helper()
	limit, err := httpapi.NewRateLimit(opts)
	require.NoError(t, err)
	return limit
}

func TestNewRateLimit_Errors(t *testing.T) {
	t.Parallel()
	for reason, opts := range map[string]httpapi.RateLimitOptions{
		"a negative rate":         {Rate: -1},
		"a rate that is none":     {Rate: math.NaN()},
		"an endless rate":         {Rate: math.Inf(1)},
		"a negative burst":        {Burst: -1},
		"a burst that is too big": {Burst: math.MaxInt32 + 1},
		"a negative failed rate":  {FailedRate: -0.1},
		"a negative failed burst": {FailedBurst: -1},
	} {
		limit, err := httpapi.NewRateLimit(opts)
		require.ErrorIs(t, err, httpapi.ErrOptions, reason)
		require.Nil(t, limit)
	}
	_, err := httpapi.NewRateLimit(httpapi.RateLimitOptions{Rate: math.MaxInt32, Burst: math.MaxInt32})
	require.NoError(t, err)
}

func TestRateLimit_Admit(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		opts                      httpapi.RateLimitOptions
		burst                     int
		retryAfter, limit, policy string
		// wait is the time until the next request is admitted.
		wait time.Duration
	}{
		"a burst":                     {httpapi.RateLimitOptions{Rate: 2, Burst: 5}, 5, "1", `"rate";r=0;t=1`, `"rate";q=5;w=3`, time.Second / 2},
		"no burst":                    {httpapi.RateLimitOptions{Rate: 3}, 3, "1", `"rate";r=0;t=1`, `"rate";q=3;w=1`, time.Second / 3},
		"a rate below one":            {httpapi.RateLimitOptions{Rate: 0.1}, 1, "10", `"rate";r=0;t=10`, `"rate";q=1;w=10`, 10 * time.Second},
		"a rate with a part":          {httpapi.RateLimitOptions{Rate: 1.5}, 2, "1", `"rate";r=0;t=1`, `"rate";q=2;w=2`, 667 * time.Millisecond},
		"a rate with a burst of one":  {httpapi.RateLimitOptions{Rate: 100, Burst: 1}, 1, "1", `"rate";r=0;t=1`, `"rate";q=1;w=1`, 10 * time.Millisecond},
		"a rate of nearly nothing":    {httpapi.RateLimitOptions{Rate: 1e-300}, 1, "4611686019", `"rate";r=0;t=4611686019`, `"rate";q=1;w=4611686019`, 0},
		"that of the example server":  {httpapi.RateLimitOptions{Rate: 100, Burst: 1000}, 1000, "1", `"rate";r=0;t=1`, `"rate";q=1000;w=10`, 10 * time.Millisecond},
		"failures have another limit": {httpapi.RateLimitOptions{Rate: 1, FailedRate: 5, FailedBurst: 5}, 1, "1", `"rate";r=0;t=1`, `"rate";q=1;w=1`, time.Second},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			clock := newTestClock()
			c.opts.Clock = clock.Now
			s := startWith(t, setup{options: httpapi.Options{Admission: []httpapi.Admission{newRateLimit(t, c.opts)}}})
			paths := operationPaths()
			for i := range c.burst {
				require.NotEqual(t, http.StatusTooManyRequests, s.do(newOperationRequest(paths[i%len(paths)], acmeKey)).Status)
			}
			for _, path := range paths {
				got := s.do(newOperationRequest(path, acmeKey))
				requireError(t, got, path, 429, "TOO_MANY_REQUESTS", "Too many requests")
				require.Equal(t, c.retryAfter, got.Header.Get("Retry-After"))
				require.Equal(t, c.limit, got.Header.Get("RateLimit"))
				require.Equal(t, c.policy, got.Header.Get("RateLimit-Policy"))
			}
			require.Equal(t, http.StatusOK, s.get(newReports, globexKey).Status, "another caller")
			require.Equal(t, http.StatusOK, s.get(documentPath, "").Status)
			if c.wait == 0 {
				return
			}
			clock.advance(c.wait - time.Millisecond)
			require.Equal(t, http.StatusTooManyRequests, s.get(newReports, acmeKey).Status)
			clock.advance(time.Millisecond)
			require.Equal(t, http.StatusOK, s.get(newReports, acmeKey).Status)
			require.Equal(t, http.StatusTooManyRequests, s.get(newReports, acmeKey).Status)
			clock.advance(-time.Hour)
			require.Equal(t, http.StatusTooManyRequests, s.get(newReports, acmeKey).Status, "a clock that is set back grants nothing")
		})
	}
}

func TestRateLimit_ZeroOptions(t *testing.T) {
	t.Parallel()
	limit := newRateLimit(t, httpapi.RateLimitOptions{Burst: 1, FailedBurst: 1})
	s := startWith(t, setup{options: httpapi.Options{Admission: []httpapi.Admission{limit}, Failures: limit}})
	for range 100 {
		require.Equal(t, http.StatusOK, s.get(newReports, acmeKey).Status)
		require.Equal(t, http.StatusUnauthorized, s.get(newReports, unknownKey).Status)
	}
}

// A caller never makes more requests than the burst and the rate allow.
func TestRateLimit_Law(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		opts := httpapi.RateLimitOptions{
			Rate:  rapid.Float64Range(0.01, 100).Draw(t, "rate"),
			Burst: rapid.IntRange(1, 20).Draw(t, "burst"),
		}
		clock := newTestClock()
		opts.Clock = clock.Now
		limit, err := httpapi.NewRateLimit(opts)
		require.NoError(t, err)
		var admitted []time.Time
		for range rapid.IntRange(1, 100).Draw(t, "requests") {
			clock.advance(time.Duration(rapid.Int64Range(0, int64(time.Second)).Draw(t, "pause")))
			_, err := limit.Admit(context.Background(), httpapi.AdmissionRequest{Caller: "a"})
			if err == nil {
				admitted = append(admitted, clock.Now())
				continue
			}
			var refused *httpapi.LimitError
			require.ErrorAs(t, err, &refused)
			require.Positive(t, refused.RetryAfter)
		}
		for i, from := range admitted {
			for j := i; j < len(admitted); j++ {
				most := float64(opts.Burst) + opts.Rate*admitted[j].Sub(from).Seconds()
				require.LessOrEqual(t, float64(j-i+1), most+1e-6)
			}
		}
	})
}

// countingKeys counts the look-ups of keys.
type countingKeys struct {
	storage.Store
	mu      sync.Mutex
	lookUps int
}

func (s *countingKeys) KeyByHash(ctx context.Context, hash [32]byte) (account.KeyRecord, error) {
	s.mu.Lock()
	s.lookUps++
	s.mu.Unlock()
	return s.Store.KeyByHash(ctx, hash)
}

func TestFailures(t *testing.T) {
	t.Parallel()
	for _, path := range operationPaths() {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			clock := newTestClock()
			limit := newRateLimit(t, httpapi.RateLimitOptions{FailedRate: 0.5, FailedBurst: 3, Clock: clock.Now})
			keys := new(countingKeys)
			seen := new(recordingObserver)
			s := startWith(t, setup{
				everyRequest: true,
				options:      httpapi.Options{Failures: limit, Observer: seen, ClientAddr: httpapi.TrustProxies(proxies()...)},
				wrap:         func(store storage.Store) storage.Store { keys.Store = store; return keys },
			})
			ask := func(client, key string) response {
				r := newOperationRequest(path, key)
				r.RemoteAddr = netip.AddrPortFrom(netip.MustParseAddr(client), 1234).String()
				return s.do(r)
			}
			// What is not a failed authentication does not count.
			for range 5 {
				require.NotEqual(t, 429, ask("192.0.2.1", acmeKey).Status)
				require.Contains(t, []int{401, 403}, ask("192.0.2.1", powerlessKey).Status)
				s.get(documentPath, unknownKey)
			}
			require.Equal(t, 401, ask("192.0.2.1", unknownKey).Status)
			r := newOperationRequest(path, "")
			r.Header.Del("X-Api-Key")
			require.Equal(t, 401, s.do(r).Status)
			r.Header["X-Api-Key"] = []string{acmeKey, acmeKey}
			require.NotEqual(t, 429, ask("192.0.2.1", acmeKey).Status, "one below the limit")
			require.Equal(t, 401, s.do(r).Status)

			before := keys.lookUps
			for _, key := range []string{unknownKey, acmeKey} {
				got := ask("192.0.2.1", key)
				requireError(t, got, path, 429, "TOO_MANY_REQUESTS", "Too many requests")
				require.Equal(t, "2", got.Header.Get("Retry-After"))
				require.Equal(t, `"failed-authentication";r=0;t=2`, got.Header.Get("RateLimit"))
				require.Equal(t, `"failed-authentication";q=3;w=6`, got.Header.Get("RateLimit-Policy"))
			}
			require.Equal(t, before, keys.lookUps, "no key is looked up")
			info := seen.requests[len(seen.requests)-1]
			require.Equal(t, "failed-authentication", info.Limit)
			require.Empty(t, info.Fingerprint)
			require.Contains(t, s.log.String(), "level=INFO")
			require.NotContains(t, s.log.String(), "level=ERROR")

			require.NotEqual(t, 429, ask("192.0.2.2", acmeKey).Status, "another client")
			lying := newOperationRequest(path, acmeKey)
			lying.Header.Set("X-Forwarded-For", "192.0.2.3")
			require.Equal(t, 429, s.do(lying).Status, "a header that lies changes nothing")
			require.Equal(t, 405, s.do(newRequest("PUT", path, nil)).Status, "the method is checked first")
			require.Equal(t, 200, s.get(documentPath, "").Status)

			clock.advance(2*time.Second - 1)
			require.Equal(t, 429, ask("192.0.2.1", unknownKey).Status)
			clock.advance(1)
			require.Equal(t, 401, ask("192.0.2.1", unknownKey).Status)
			require.Equal(t, 429, ask("192.0.2.1", unknownKey).Status)

			// The clients of an IPv6 network share a limit.
			for i := range 3 {
				require.Equal(t, 401, ask("2001:db8::"+strconv.Itoa(i), unknownKey).Status)
			}
			require.Equal(t, 429, ask("2001:db8::ffff:ffff:ffff:ffff", acmeKey).Status)
			require.NotEqual(t, 429, ask("2001:db8:0:1::", acmeKey).Status)
		})
	}
}

// A server without addresses has one limit for all clients.
func TestFailures_NoAddress(t *testing.T) {
	t.Parallel()
	s := startWith(t, setup{options: httpapi.Options{Failures: newRateLimit(t, httpapi.RateLimitOptions{FailedRate: 1})}})
	for _, want := range []int{401, 429} {
		r := newGet(newReports, unknownKey)
		r.RemoteAddr = "@"
		require.Equal(t, want, s.do(r).Status)
	}
	require.Equal(t, 401, s.get(newReports, unknownKey).Status)
}

// brokenFailures fails.
type brokenFailures struct{ httpapi.Failures }

func (brokenFailures) Allow(context.Context, netip.Addr) error { return errDisk }

func TestFailures_Broken(t *testing.T) {
	t.Parallel()
	s := startWith(t, setup{options: httpapi.Options{Failures: brokenFailures{}}})
	for _, path := range operationPaths() {
		requireError(t, s.do(newOperationRequest(path, acmeKey)), path, 500, "INTERNAL_SERVER_ERROR", "Internal server error")
	}
	require.Contains(t, s.log.String(), "disk failure")
}

func TestRateLimit_ForgetsTheOldest(t *testing.T) {
	t.Parallel()
	clock := newTestClock()
	limit := newRateLimit(t, httpapi.RateLimitOptions{Rate: 1e-9, Burst: 1, FailedRate: 1e-9, FailedBurst: 1, Clock: clock.Now})
	ctx := context.Background()
	admit := func(caller string) bool {
		_, err := limit.Admit(ctx, httpapi.AdmissionRequest{Caller: caller})
		return err == nil
	}
	client := func(i int) netip.Addr { return netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}) }
	require.True(t, admit("a"))
	require.True(t, admit("used"))
	limit.Failed(ctx, client(0))
	for i := range 8_000 {
		require.True(t, admit(strconv.Itoa(i)))
		limit.Failed(ctx, client(i))
	}
	require.False(t, admit("a"))
	require.Error(t, limit.Allow(ctx, client(0)))
	for i := range 50_000 {
		require.True(t, admit("later"+strconv.Itoa(i)))
		limit.Failed(ctx, client(100_000+i))
		if i%1000 == 0 {
			require.False(t, admit("used"), "callers that are active are remembered")
		}
		require.NoError(t, limit.Allow(ctx, client(1_000_000+i)), "asking remembers nobody")
	}
	require.LessOrEqual(t, limit.Remembered(), 2*16_384)
	require.True(t, admit("a"))
	require.NoError(t, limit.Allow(ctx, client(0)))
}

func TestRateLimit_Concurrent(t *testing.T) {
	t.Parallel()
	limit := newRateLimit(t, httpapi.RateLimitOptions{Rate: 1e-9, Burst: 50, FailedRate: 1e-9, FailedBurst: 1})
	s := startWith(t, setup{options: httpapi.Options{Admission: []httpapi.Admission{limit}, Failures: limit}})
	s.Handler = http.StripPrefix(base, s.api)
	var group sync.WaitGroup
	var mu sync.Mutex
	counts := make(map[int]int)
	for range 20 {
		group.Go(func() {
			for range 5 {
				status := s.do(newPost(disputePath, acmeKey, strings.NewReader("{}"))).Status
				mu.Lock()
				counts[status]++
				mu.Unlock()
			}
		})
	}
	group.Wait()
	require.Equal(t, map[int]int{400: 50, 429: 50}, counts)
}
