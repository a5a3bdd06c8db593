package httpapi_test

import (
	"context"
	"net/netip"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/httpapi/limit"
	"github.com/apguard/apguard/storage"
)

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
	synctest.Test(t, testFailures) // keys are cached for a second
}

func testFailures(t *testing.T) {
	t.Helper()
	rate, err := limit.NewRate(limit.RateOptions{FailedRate: 0.5, FailedBurst: 3, Clock: func() time.Time { return now }})
	require.NoError(t, err)
	keys := new(countingKeys)
	seen := new(recordingObserver)
	s := startWith(t, setup{
		options: httpapi.Options{Failures: rate, Observer: seen, ClientAddr: httpapi.TrustProxies(proxies()...)},
		wrap:    func(store storage.Store) storage.Store { keys.Store = store; return keys },
	})
	ask := func(path, key string) response { return s.do(newOperationRequest(path, key)) }
	// What is not a failed authentication does not count.
	for _, path := range operationPaths() {
		require.NotEqual(t, 429, ask(path, acmeKey).Status)
		require.Contains(t, []int{401, 403}, ask(path, powerlessKey).Status)
	}
	s.get(documentPath, unknownKey)

	require.Equal(t, 401, ask(newReports, unknownKey).Status)
	for _, keys := range [][]string{nil, {acmeKey, acmeKey}} {
		require.NotEqual(t, 429, ask(newReports, acmeKey).Status, "below the limit")
		r := newGet(newReports, "")
		r.Header["X-Api-Key"] = keys
		require.Equal(t, 401, s.do(r).Status)
	}
	for _, path := range operationPaths() {
		got := ask(path, unknownKey)
		requireError(t, got, path, 429, "TOO_MANY_REQUESTS", "Too many requests")
		require.Equal(t, "2", got.Header.Get("Retry-After"))
		require.Equal(t, `"failed-authentication";r=0;t=2`, got.Header.Get("RateLimit"))
		require.Equal(t, `"failed-authentication";q=3;w=6`, got.Header.Get("RateLimit-Policy"))
		require.Empty(t, got.Header.Get("WWW-Authenticate"))
	}
	before := keys.lookUps
	for _, path := range operationPaths() {
		require.NotEqual(t, 429, ask(path, acmeKey).Status, "a valid key")
	}
	require.Equal(t, before, keys.lookUps, "a valid key is cached")
	require.Equal(t, 429, ask(newReports, unknownKey).Status)
	info := seen.requests[len(seen.requests)-1]
	require.Equal(t, "failed-authentication", info.Limit)
	require.ErrorIs(t, info.Refused, account.ErrUnknownKey)
	require.NoError(t, info.Err)

	other := newGet(newReports, unknownKey)
	other.RemoteAddr = "192.0.2.2:1234"
	require.Equal(t, 401, s.do(other).Status, "another client")
	lying := newGet(newReports, unknownKey)
	lying.Header.Set("X-Forwarded-For", "192.0.2.3")
	require.Equal(t, 429, s.do(lying).Status, "a header that lies changes nothing")
	require.Equal(t, 405, s.do(newRequest("PUT", newReports, nil)).Status, "the method is checked first")
	require.Equal(t, 200, s.get(documentPath, "").Status)
}

// A valid key gets through while many strangers at its address guess keys at once, and the store
// never looks up more than one of these keys at the same time.
func TestFailures_StrangersAtOnce(t *testing.T) {
	t.Parallel()
	const strangers, checks = 100, 40
	rate, err := limit.NewRate(limit.RateOptions{FailedRate: 1e-6, FailedBurst: 1})
	require.NoError(t, err)
	var atOnce, most atomic.Int64
	// On a busy machine, a turn may take its time.
	s := startWith(t, setup{options: httpapi.Options{Failures: rate, Timeout: time.Hour}, wrap: func(store storage.Store) storage.Store {
		return hookedStore{Store: store, beforeKey: func(context.Context) error {
			most.Store(max(most.Load(), atOnce.Add(1))) // no other look-up runs, or the test fails
			runtime.Gosched()
			atOnce.Add(-1)
			return nil
		}}
	}})
	require.Equal(t, 401, s.do(newOperationRequest(checkPath, unknownKey)).Status)
	most.Store(0)
	var group sync.WaitGroup
	done := make(chan struct{})
	refused := make(chan int, strangers)
	for range strangers {
		group.Go(func() {
			for first := true; ; first = false {
				status := s.do(newOperationRequest(checkPath, unknownKey)).Status
				if first {
					refused <- status
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for range strangers {
		require.Equal(t, 429, <-refused)
	}
	for range checks {
		require.Equal(t, 200, s.do(newOperationRequest(checkPath, acmeKey)).Status)
	}
	close(done)
	group.Wait()
	require.EqualValues(t, 1, most.Load())
}

// brokenFailures fails.
type brokenFailures struct{ limit.Failures }

func (brokenFailures) Allow(context.Context, netip.Addr) error { return errDisk }

func TestFailures_Broken(t *testing.T) {
	t.Parallel()
	s := startWith(t, setup{options: httpapi.Options{Failures: brokenFailures{}}})
	for _, path := range operationPaths() {
		requireError(t, s.do(newOperationRequest(path, acmeKey)), path, 500, "INTERNAL_SERVER_ERROR", "Internal server error")
	}
	require.Contains(t, s.log.String(), "disk failure")
}
