package httpapi_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/httpapi/limit"
	"github.com/apguard/apguard/step"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
)

// hangingStore waits in every operation until the context ends. Times are those of a
// bubble of synctest.
type hangingStore struct {
	hookedStore
	// pages is the number of changelog pages that it returns before, each after a time.
	pages int
	after time.Duration
	// uses makes it wait only when it records the use of a key.
	uses bool
}

func hang(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

// hangingIn returns a store that waits in every operation, or for keys.
func hangingIn(store storage.Store, keys bool) storage.Store {
	if keys {
		return hookedStore{Store: store, beforeKey: hang}
	}
	return hookedStore{Store: store, before: hang}
}

// hangingFailures waits like a hangingStore.
type hangingFailures struct{}

func (hangingFailures) Allow(ctx context.Context, _ netip.Addr) error { return hang(ctx) }
func (hangingFailures) Failed(context.Context, netip.Addr)            {}

// hangingAdmission waits like a hangingStore.
type hangingAdmission struct{}

func (hangingAdmission) Admit(ctx context.Context, _ limit.Request) (func(), error) {
	return nil, hang(ctx)
}

func (s *hangingStore) RecordKeyUse(ctx context.Context, use account.KeyUse) error {
	if s.uses {
		return hang(ctx)
	}
	return s.Store.RecordKeyUse(ctx, use)
}

func (s *hangingStore) Changes(ctx context.Context, req asset.ListChangesRequest) (step.Page[asset.Change], error) {
	if s.pages > 0 {
		s.pages--
		time.Sleep(s.after)
		return s.Store.Changes(ctx, req)
	}
	return step.Page[asset.Change]{}, hang(ctx)
}

func TestServe_Timeout(t *testing.T) {
	t.Parallel()
	cases := make(map[string]string) // the path of the request
	for _, hanging := range []string{"the authenticator", "the failures", "the admission"} {
		cases[hanging] = changelogPath
	}
	for _, path := range operationPaths() {
		cases["the service "+path] = path
	}
	for hanging, path := range cases {
		t.Run(hanging, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				seen := new(recordingObserver)
				options := httpapi.Options{Observer: seen}
				switch hanging {
				case "the failures":
					options.Failures = hangingFailures{}
				case "the admission":
					options.Admission = []limit.Admission{hangingAdmission{}}
				}
				s := startWith(t, setup{options: options, wrap: func(store storage.Store) storage.Store {
					return hangingIn(store, hanging == "the authenticator")
				}})
				began := time.Now()
				got := s.do(newOperationRequest(path, acmeKey))
				require.Equal(t, httpapi.DefaultTimeout, time.Since(began))
				requireError(t, got, path, http.StatusServiceUnavailable, "SERVICE_UNAVAILABLE", "Service unavailable")
				require.Equal(t, "5", got.Header.Get("Retry-After"))
				require.Error(t, seen.only(t).Err)
				require.Contains(t, s.log.String(), "context deadline exceeded")
			})
		})
	}
}

// lateAuthenticator and lateAdmission succeed after a time, whatever their context says.
type (
	lateAuthenticator struct {
		httpapi.Authenticator
		after time.Duration
	}
	lateAdmission time.Duration
)

func (a lateAuthenticator) Authenticate(r *http.Request) (account.Principal, error) {
	time.Sleep(a.after)
	return a.Authenticator.Authenticate(r)
}

func (a lateAdmission) Admit(ctx context.Context, _ limit.Request) (func(), error) {
	late := ctx.Err()
	time.Sleep(time.Duration(a))
	return nil, late
}

// The admission and the service each have the whole time, even after a part that was late.
func TestServe_TimeoutOfEachPart(t *testing.T) {
	t.Parallel()
	for _, late := range []struct{ authenticator, admission time.Duration }{
		{29 * time.Second, 31 * time.Second},
		{31 * time.Second, 29 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			store := &hangingStore{hookedStore: hookedStore{Store: memory.New(), before: hang}, pages: 1, after: 29 * time.Second}
			api, err := httpapi.New(apguard.New(store, apguard.Options{}), lateAuthenticator{fullAccess(), late.authenticator}, httpapi.Options{
				Admission: []limit.Admission{lateAdmission(late.admission)},
			})
			require.NoError(t, err)
			got := httptest.NewRecorder()
			began := time.Now()
			http.StripPrefix(base, api).ServeHTTP(got, newOperationRequest(changelogPath, acmeKey))
			require.Equal(t, 89*time.Second, time.Since(began))
			require.Equal(t, http.StatusOK, got.Code, got.Body)
		})
	}
}

// A store that cannot record the use of a key costs one request its time, and none its response.
func TestServe_RecordKeyUseTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := startWith(t, setup{options: httpapi.Options{Timeout: 900 * time.Millisecond}, wrap: func(store storage.Store) storage.Store {
			return &hangingStore{hookedStore: hookedStore{Store: store, before: hang}, pages: 3, uses: true}
		}})
		began := time.Now()
		for range 3 {
			require.Equal(t, http.StatusOK, s.post(changelogPath, acmeKey, "{}").Status)
		}
		require.Equal(t, 900*time.Millisecond, time.Since(began))
	})
}

// The time of a body does not count, and the service then has the whole time.
func TestServe_TimeoutAfterSlowBody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := startWith(t, setup{wrap: func(store storage.Store) storage.Store {
			return &hangingStore{hookedStore: hookedStore{Store: store, before: hang}, pages: 1, after: 29 * time.Second}
		}})
		body := iotest.OneByteReader(strings.NewReader("{}"))
		r := newPost(changelogPath, acmeKey, readerFunc(func(b []byte) (int, error) {
			time.Sleep(20 * time.Second)
			return body.Read(b)
		}))
		began := time.Now()
		require.Equal(t, http.StatusOK, s.do(r).Status)
		require.Equal(t, 89*time.Second, time.Since(began))
	})
}

// readerFunc is an io.Reader.
type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

// Each part of a stream has the whole time.
func TestStreamChanges_Timeout(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		after time.Duration
		sent  int64
	}{
		"pages in time":           {9 * time.Second, 300_000},
		"a page that is too late": {11 * time.Second, 0},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				seen := new(recordingObserver)
				s := startWith(t, setup{
					options: httpapi.Options{Timeout: 10 * time.Second, Observer: seen},
					wrap: func(store storage.Store) storage.Store {
						return &hangingStore{hookedStore: hookedStore{Store: store, before: hang}, pages: 3, after: c.after}
					},
				})
				fill(t, s, 4000)
				// The time of the client does not count.
				w := &steadyWriter{ResponseRecorder: httptest.NewRecorder(), rate: 8 << 10}
				began := time.Now()
				r := newPost(changelogPath, acmeKey, strings.NewReader("{}"))
				if c.sent == 0 {
					s.ServeHTTP(w, r)
					require.Equal(t, http.StatusServiceUnavailable, w.Code)
				} else {
					require.PanicsWithValue(t, http.ErrAbortHandler, func() { s.ServeHTTP(w, r) })
					require.Greater(t, time.Since(began), time.Minute)
				}
				got := seen.only(t)
				require.ErrorIs(t, got.Err, context.DeadlineExceeded)
				require.GreaterOrEqual(t, got.Sent, c.sent)
				require.False(t, got.ClientGone)
			})
		})
	}
}

// steadyWriter accepts a number of bytes a second, after it has accepted the first ones at
// once. It obeys the deadline. Its times are those of a bubble of synctest.
type steadyWriter struct {
	*httptest.ResponseRecorder
	atOnce   int
	rate     float64
	deadline time.Time
}

func (w *steadyWriter) SetWriteDeadline(at time.Time) error {
	w.deadline = at
	return nil
}

func (w *steadyWriter) FlushError() error { return nil }

func (w *steadyWriter) Write(b []byte) (int, error) {
	if w.atOnce >= len(b) {
		w.atOnce -= len(b)
		return w.ResponseRecorder.Write(b)
	}
	needed := time.Duration(float64(len(b)) / w.rate * float64(time.Second))
	if left := time.Until(w.deadline); !w.deadline.IsZero() && left < needed {
		time.Sleep(left)
		return 0, os.ErrDeadlineExceeded
	}
	time.Sleep(needed)
	return w.ResponseRecorder.Write(b)
}

func TestSend_MinClientRate(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		options httpapi.Options
		atOnce  int
		rate    float64
		// cut is when the connection is closed, at most a part later. It is 0 if it is not.
		cut time.Duration
	}{
		"the default rate":       {httpapi.Options{}, 0, 4097, 0},
		"below the default rate": {httpapi.Options{}, 0, 4095, 30 * time.Second},
		// 262,144 bytes at once are 64 seconds ahead of the rate.
		"an average below after a fast start": {httpapi.Options{}, 1 << 18, 2048, 128 * time.Second},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				seen := new(recordingObserver)
				c.options.Observer = seen
				s := startWith(t, setup{options: c.options})
				fill(t, s, 4000)
				w := &steadyWriter{ResponseRecorder: httptest.NewRecorder(), atOnce: c.atOnce, rate: c.rate}
				began := time.Now()
				r := newPost(changelogPath, acmeKey, strings.NewReader("{}"))
				if c.cut == 0 {
					s.ServeHTTP(w, r)
					require.Equal(t, int64(w.Body.Len()), seen.only(t).Sent)
					return
				}
				require.PanicsWithValue(t, http.ErrAbortHandler, func() { s.ServeHTTP(w, r) })
				require.InDelta(t, c.cut.Seconds(), time.Since(began).Seconds(), 10)
				got := seen.only(t)
				require.NoError(t, got.Err)
				require.True(t, got.Aborted)
				require.False(t, got.ClientGone, "the client is slow, not gone")
				require.Equal(t, http.StatusOK, got.Status)
			})
		})
	}
}
