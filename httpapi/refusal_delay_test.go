package httpapi_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/storage"
)

// The clock of the tests moves only while all of their goroutines wait.
func TestDelayRefusal(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		status int
		opts   httpapi.Options
		// gone is when the client disconnects, or 0 if it does not.
		gone time.Duration
		want time.Duration
	}{
		"a per-caller limit":          {429, httpapi.Options{}, 0, httpapi.DefaultRefusalDelay},
		"another delay":               {429, httpapi.Options{RefusalDelay: time.Hour}, 0, time.Hour},
		"no delay":                    {429, httpapi.Options{RefusalDelay: -1}, 0, 0},
		"a server-wide limit":         {503, httpapi.Options{}, 0, 0},
		"requests within their limit": {200, httpapi.Options{}, 0, 0},
		"a client that disconnects":   {429, httpapi.Options{}, time.Millisecond, time.Millisecond},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				seen := new(recordingObserver)
				c.opts.Observer = seen
				if c.status != http.StatusOK {
					c.opts.Admission = []httpapi.Admission{refusing(&httpapi.LimitError{Status: c.status})}
				}
				api := newAPI(t, fullAccess(), c.opts)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if c.gone > 0 {
					time.AfterFunc(c.gone, cancel)
				}
				began, got := time.Now(), httptest.NewRecorder()
				http.StripPrefix(base, api).ServeHTTP(got, newOperationRequest(newReports, acmeKey).WithContext(ctx))
				require.Equal(t, c.status, got.Code)
				require.Equal(t, c.want, time.Since(began))
				require.Len(t, seen.requests, 1)
				require.Zero(t, seen.requests[0].Duration, "the delay is no work")
			})
		})
	}
}

// A delayed request holds no place of another limit, and the number of delayed requests has
// the limits of MaxRequests.
func TestDelayRefusal_AtOnce(t *testing.T) {
	t.Parallel()
	for _, path := range operationPaths() {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := startWith(t, setup{
					options: httpapi.Options{RefusalDelay: httpapi.DefaultRefusalDelay, MaxRequests: 3, MaxRequestsPerCaller: 2, MaxCostly: 1, MaxCostlyPerCaller: 1},
					wrap: func(store storage.Store) storage.Store {
						return &failingStore{Store: store, err: &httpapi.LimitError{Policy: "mine", Quota: 1}}
					},
				})
				const delay = httpapi.DefaultRefusalDelay
				for range 2 { // the second time, those of the first time do not count
					var inFlight sync.WaitGroup
					for _, c := range []struct {
						reason, client string
						want           time.Duration
					}{
						{"the first one", "2001:db8::1", delay},
						{"at the per-caller limit", "2001:db8::2", delay},
						{"beyond the per-caller limit", "2001:db8::3", 0},
						{"at the server-wide limit", "192.0.2.1", delay},
						{"beyond the server-wide limit", "192.0.2.2", 0},
					} {
						inFlight.Go(func() {
							r := newOperationRequest(path, acmeKey)
							r.RemoteAddr = netip.AddrPortFrom(netip.MustParseAddr(c.client), 1234).String()
							began, got := time.Now(), s.do(r)
							if policy := got.Header.Get("RateLimit-Policy"); policy != `"mine";q=1;qu="concurrent-requests"` {
								t.Errorf("%s: refused by %s", c.reason, policy)
							}
							if took := time.Since(began); took != c.want {
								t.Errorf("%s: delayed by %s, want %s", c.reason, took, c.want)
							}
						})
						synctest.Wait()
					}
					inFlight.Wait()
				}
			})
		})
	}
}
