package httpapi_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/httpapi/limit"
	"github.com/apguard/apguard/storage"
)

// admissionFunc is an Admission.
type admissionFunc func(limit.Request) (func(), error)

func (f admissionFunc) Admit(_ context.Context, req limit.Request) (func(), error) {
	return f(req)
}

// refusing refuses every request.
func refusing(err error) admissionFunc {
	return func(limit.Request) (func(), error) { return nil, err }
}

// limitStatuses returns the statuses of requests that a limit refuses.
func limitStatuses() []int { return []int{http.StatusTooManyRequests, http.StatusServiceUnavailable} }

// newOperationRequest returns a valid request for an operation that needs a key.
func newOperationRequest(path, key string) *http.Request {
	switch path {
	case newReports:
		return newGet(path, key)
	case ownPath:
		return newGet(path+"?id=1", key)
	}
	return newPost(path, key, strings.NewReader(posts[path]))
}

// operationPaths returns the paths of the operations that need a key.
func operationPaths() []string {
	return []string{changelogPath, checkPath, batchPath, disputePath, ownPath, assetsPath, removePath, oldReports, newReports, reportPath}
}

func TestAdmit_LimitError(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		err                       error
		status                    int
		retryAfter, limit, policy string
	}{
		"the zero value":       {&limit.Error{}, 429, "1", "", ""},
		"another status":       {&limit.Error{Status: 500}, 429, "1", "", ""},
		"503":                  {&limit.Error{Status: 503, Policy: "x", Quota: 5}, 503, "1", "", ""},
		"wrapped":              {fmt.Errorf("quota: %w", &limit.Error{Policy: "x", Quota: 5}), 429, "1", `"x";r=0;t=1`, `"x";q=5;qu="concurrent-requests"`},
		"a window":             {&limit.Error{Policy: "x", Quota: 5, Window: time.Minute}, 429, "1", `"x";r=0;t=1`, `"x";q=5;w=60`},
		"a part of a second":   {&limit.Error{Policy: "x", Quota: 5, Window: time.Millisecond, RetryAfter: time.Millisecond}, 429, "1", `"x";r=0;t=1`, `"x";q=5;w=1`},
		"a second":             {&limit.Error{Policy: "x", Quota: 5, Window: time.Second, RetryAfter: time.Second}, 429, "1", `"x";r=0;t=1`, `"x";q=5;w=1`},
		"more than a second":   {&limit.Error{Policy: "x", Quota: 5, Window: time.Second + 1, RetryAfter: time.Second + 1}, 429, "2", `"x";r=0;t=2`, `"x";q=5;w=2`},
		"the longest time":     {&limit.Error{RetryAfter: 1<<63 - 1}, 429, "9223372037", "", ""},
		"a negative time":      {&limit.Error{RetryAfter: -time.Hour}, 429, "1", "", ""},
		"no name":              {&limit.Error{Quota: 5}, 429, "1", `"default";r=0;t=1`, `"default";q=5;qu="concurrent-requests"`},
		"a name to be escaped": {&limit.Error{Policy: "a\"b\\c\r\nd\u00e9", Quota: 5}, 429, "1", `"a\"b\\cd";r=0;t=1`, `"a\"b\\cd";q=5;qu="concurrent-requests"`},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			for _, path := range []string{newReports, assetsPath} {
				seen := new(recordingObserver)
				s := startWith(t, setup{everyRequest: true, options: httpapi.Options{Observer: seen, Admission: []limit.Admission{refusing(c.err)}}})
				if strings.Contains(c.limit, `\`) {
					s.Handler = http.StripPrefix(base, s.api) // the document describes the names of this package
				}
				r := newOperationRequest(path, acmeKey)
				if r.Method == http.MethodPost {
					r.Body = io.NopCloser(iotest.ErrReader(errors.New("was read")))
				}
				got := s.do(r)
				if c.status == http.StatusTooManyRequests {
					requireError(t, got, path, c.status, "TOO_MANY_REQUESTS", "Too many requests")
				} else {
					requireError(t, got, path, c.status, "SERVICE_UNAVAILABLE", "Service unavailable")
				}
				require.Equal(t, c.retryAfter, got.Header.Get("Retry-After"))
				require.Equal(t, c.limit, got.Header.Get("RateLimit"))
				require.Equal(t, c.policy, got.Header.Get("RateLimit-Policy"))
				var refusal *limit.Error
				require.ErrorAs(t, c.err, &refusal)
				info := seen.only(t)
				require.Equal(t, refusal.Policy, info.Limit)
				require.NoError(t, info.Err)
				require.Contains(t, s.log.String(), "level=INFO")
				require.Equal(t, refusal.Policy != "", strings.Contains(s.log.String(), " limit="))
				require.Contains(t, refusal.Error(), strconv.Quote(refusal.Policy))
			}
		})
	}
}

func TestAdmit_OtherErrors(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		err    error
		status int
	}{
		"any error":                      {errDisk, 500},
		"one that matches ErrNotFound":   {asset.ErrNotFound, 500},
		"one that matches InputError":    {&asset.InputError{}, 500},
		"one that matches ErrUnavailble": {asset.ErrUnavailable, 503},
	} {
		s := startWith(t, setup{options: httpapi.Options{Admission: []limit.Admission{refusing(c.err)}}})
		for _, path := range operationPaths() {
			require.Equal(t, c.status, s.do(newOperationRequest(path, acmeKey)).Status, reason)
			require.Contains(t, s.log.String(), "level=ERROR")
			require.Contains(t, s.log.String(), c.err.Error())
		}
	}
}

// A Service can refuse a request like an Admission.
func TestAdmit_LimitErrorOfTheService(t *testing.T) {
	t.Parallel()
	s := startWith(t, setup{wrap: func(store storage.Store) storage.Store {
		return &failingStore{Store: store, err: &limit.Error{Policy: "mine", Quota: 1}}
	}})
	for _, path := range operationPaths() {
		requireError(t, s.do(newOperationRequest(path, acmeKey)), path, 429, "TOO_MANY_REQUESTS", "Too many requests")
	}
}

func TestAdmit_Request(t *testing.T) {
	t.Parallel()
	sized := func(size, length int64) *http.Request {
		body := posts[assetsPath] + strings.Repeat(" ", int(size)-len(posts[assetsPath]))
		r := newPost(assetsPath, acmeKey, strings.NewReader(body))
		r.ContentLength = length
		return r
	}
	for reason, c := range map[string]struct {
		request *http.Request
		costly  bool
	}{
		"an allowlist":                {newGet(assetsPath, acmeKey), true},
		"the changelog":               {newOperationRequest(changelogPath, acmeKey), true},
		"a dispute":                   {newOperationRequest(disputePath, acmeKey), false},
		"the deprecated listing":      {newOperationRequest(oldReports, acmeKey), true},
		"the listing":                 {newOperationRequest(newReports, acmeKey), true},
		"a small batch":               {newOperationRequest(assetsPath, acmeKey), false},
		"the largest cheap batch":     {sized(4096, 4096), false},
		"the smallest costly batch":   {sized(4097, 4097), true},
		"a batch of an unknown size":  {sized(1000, -1), true},
		"a dispute of unknown length": {func() *http.Request { r := newOperationRequest(disputePath, acmeKey); r.ContentLength = -1; return r }(), false},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			var got []limit.Request
			s := startWith(t, setup{options: httpapi.Options{Admission: []limit.Admission{admissionFunc(func(req limit.Request) (func(), error) {
				got = append(got, req)
				return nil, nil
			})}}})
			require.Equal(t, http.StatusOK, s.do(c.request).Status)
			fingerprint := account.Fingerprint(account.HashKey(acmeKey))
			require.Equal(t, []limit.Request{{
				Operation:  strings.TrimPrefix(c.request.URL.Path, base),
				Method:     c.request.Method,
				Caller:     fingerprint,
				ClientAddr: netip.MustParseAddr("192.0.2.1"),
				Costly:     c.costly,
				Principal: account.Principal{
					OrganizationID: 1, OrganizationSlug: "acme", UserID: 1, Email: "ada@acme.test",
					Scopes: account.Scopes(), Fingerprint: fingerprint,
				},
			}}, got)
		})
	}
}

func TestAdmit_OrderAndRelease(t *testing.T) {
	t.Parallel()
	var steps []string
	step := func(name string, err error) admissionFunc {
		return func(limit.Request) (func(), error) {
			steps = append(steps, name)
			return func() { steps = append(steps, "release "+name) }, err
		}
	}
	refusal := &limit.Error{}
	for reason, c := range map[string]struct {
		admissions []limit.Admission
		request    *http.Request
		status     int
		want       []string
	}{
		"admitted":      {[]limit.Admission{step("a", nil), refusing(nil), step("b", nil)}, newOperationRequest(disputePath, acmeKey), 200, []string{"a", "b", "answer", "release b", "release a"}},
		"refused later": {[]limit.Admission{step("a", nil), step("b", refusal), step("c", nil)}, newOperationRequest(disputePath, acmeKey), 429, []string{"a", "b", "release a", "answer"}},
		"invalid":       {[]limit.Admission{step("a", nil)}, newPost(disputePath, acmeKey, strings.NewReader("[")), 400, []string{"a", "release a", "answer"}},
		"another type": {[]limit.Admission{step("a", nil)}, func() *http.Request {
			r := newOperationRequest(disputePath, acmeKey)
			r.Header.Del("Content-Type")
			return r
		}(), 415, []string{"a", "release a", "answer"}},
		"no access":     {[]limit.Admission{step("a", nil)}, newOperationRequest(disputePath, powerlessKey), 403, []string{"answer"}},
		"unknown key":   {[]limit.Admission{step("a", nil)}, newOperationRequest(disputePath, unknownKey), 401, []string{"answer"}},
		"no operation":  {[]limit.Admission{step("a", nil)}, newGet(disputePath, acmeKey), 405, []string{"answer"}},
		"no key needed": {[]limit.Admission{step("a", nil)}, newGet(documentPath, acmeKey), 200, []string{"a", "answer", "release a"}},
	} {
		steps = nil
		s := startWith(t, setup{options: httpapi.Options{Admission: c.admissions}})
		w := &closingWriter{ResponseRecorder: httptest.NewRecorder(), takes: 1 << 20, when: func() { steps = append(steps, "answer") }}
		s.ServeHTTP(w, c.request)
		require.Equal(t, c.status, w.Code, reason)
		require.Equal(t, c.want, slices.Compact(steps), reason)
	}
}

// pause waits in a number of calls until it may go on. Later calls do not wait.
type pause struct {
	calls   atomic.Int64
	entered chan struct{}
	resume  chan struct{}
}

func (p *pause) wait(context.Context) error {
	if p.calls.Add(-1) >= 0 {
		p.entered <- struct{}{}
		<-p.resume
	}
	return nil
}

// startPaused returns a server, and a function that starts requests which stay in flight until the end of
// the test.
func startPaused(t *testing.T, options httpapi.Options, keys bool) (s testServer, hold func(...*http.Request)) {
	t.Helper()
	paused := &pause{entered: make(chan struct{}), resume: make(chan struct{})}
	s = startWith(t, setup{options: options, wrap: func(store storage.Store) storage.Store {
		if keys {
			return hookedStore{Store: store, beforeKey: paused.wait}
		}
		return hookedStore{Store: store, before: paused.wait}
	}})
	var inFlight sync.WaitGroup
	t.Cleanup(func() {
		close(paused.resume)
		inFlight.Wait()
	})
	hold = func(requests ...*http.Request) {
		paused.calls.Store(int64(len(requests)))
		for _, r := range requests {
			inFlight.Go(func() { s.do(r) })
			<-paused.entered
		}
	}
	return s, hold
}

// from returns a request that comes from an address.
func from(client string, r *http.Request) *http.Request {
	r.RemoteAddr = netip.AddrPortFrom(netip.MustParseAddr(client), 1234).String()
	return r
}

// A caller has a quarter of the requests, and a client address three quarters.
func TestAtOnce_Requests(t *testing.T) {
	t.Parallel()
	const other, third = "192.0.2.50", "192.0.2.60"
	s, hold := startPaused(t, httpapi.Options{MaxRequests: 12}, false)
	fourth, err := s.guard.Keys.Create(t.Context(), account.KeyRequest{Scopes: account.Scopes()})
	require.NoError(t, err)
	hold(newOperationRequest(disputePath, acmeKey), newOperationRequest(disputePath, acmeKey))
	for _, path := range operationPaths() {
		require.NotEqual(t, 429, s.do(newOperationRequest(path, acmeKey)).Status, "at the part of a caller")
	}
	hold(newOperationRequest(disputePath, acmeKey))
	for _, path := range operationPaths() {
		got := s.do(newOperationRequest(path, acmeKey))
		requireError(t, got, path, 429, "TOO_MANY_REQUESTS", "Too many requests")
		require.Equal(t, `"requests";q=3;qu="concurrent-requests"`, got.Header.Get("RateLimit-Policy"))
	}
	for _, key := range []string{globexKey, looseKey} {
		hold(newOperationRequest(changelogPath, key), newOperationRequest(changelogPath, key), newOperationRequest(changelogPath, key))
	}
	requireError(t, s.get(documentPath, ""), documentPath, 429, "TOO_MANY_REQUESTS", "Too many requests")
	for _, path := range operationPaths() {
		got := s.do(newOperationRequest(path, unknownKey))
		requireError(t, got, path, 429, "TOO_MANY_REQUESTS", "Too many requests")
		require.Equal(t, `"requests-of-client";q=9;qu="concurrent-requests"`, got.Header.Get("RateLimit-Policy"))
		require.Equal(t, 401, s.do(from(other, newOperationRequest(changelogPath, unknownKey))).Status, "another address")
	}
	for range 3 {
		hold(from(other, newOperationRequest(changelogPath, fourth)))
	}
	requireError(t, s.do(from(third, newGet(documentPath, ""))), documentPath, 503, "SERVICE_UNAVAILABLE", "Service unavailable")
	for _, path := range operationPaths() {
		got := s.do(from(third, newOperationRequest(path, looseKey)))
		requireError(t, got, path, 503, "SERVICE_UNAVAILABLE", "Service unavailable")
		require.Equal(t, "1", got.Header.Get("Retry-After"))
		require.Empty(t, got.Header.Get("RateLimit"))
	}
}

func TestAtOnce_Costly(t *testing.T) {
	t.Parallel()
	large := func(key string) *http.Request {
		body := posts[assetsPath]
		return newPost(assetsPath, key, strings.NewReader(body+strings.Repeat(" ", httpapi.MaxCheapBatch+1-len(body))))
	}
	costly := func(key string) []*http.Request {
		return []*http.Request{
			newOperationRequest(changelogPath, key), newOperationRequest(oldReports, key), newOperationRequest(newReports, key), large(key),
		}
	}
	const each = 3
	s, hold := startPaused(t, httpapi.Options{MaxCostly: 4 * each}, false)
	for i := range each {
		for _, r := range costly(acmeKey) {
			require.NotContains(t, limitStatuses(), s.do(r).Status, "below and at the part of a caller")
		}
		hold(costly(acmeKey)[i%4])
	}
	for _, r := range costly(acmeKey) {
		got := s.do(r)
		requireError(t, got, r.URL.Path, 429, "TOO_MANY_REQUESTS", "Too many requests")
		require.Equal(t, fmt.Sprintf(`"costly-requests";q=%d;qu="concurrent-requests"`, each), got.Header.Get("RateLimit-Policy"))
	}
	unknown := large(acmeKey)
	unknown.ContentLength = -1
	require.Equal(t, 429, s.do(unknown).Status)
	for _, path := range []string{disputePath, assetsPath} {
		cheap := newOperationRequest(path, acmeKey)
		cheap.ContentLength = -1
		require.NotContains(t, limitStatuses(), s.do(cheap).Status)
	}
}

// onWrite is a client that does something when it has received a part of a response.
type onWrite struct {
	*httptest.ResponseRecorder
	received func()
}

func (w onWrite) Write(part []byte) (int, error) {
	n, err := w.ResponseRecorder.Write(part)
	w.received()
	return n, err
}

// A client that has a whole response may send its next request before the server has ended the first one.
func TestAtOnce_CostlyUntilSent(t *testing.T) {
	t.Parallel()
	s := startWith(t, setup{options: httpapi.Options{MaxCostly: 1}})
	next := 0
	w := onWrite{httptest.NewRecorder(), func() { next = s.do(newOperationRequest(newReports, acmeKey)).Status }}
	s.ServeHTTP(w, newOperationRequest(newReports, acmeKey))
	require.Equal(t, http.StatusOK, w.Code)
	require.Equal(t, http.StatusOK, next)
}

// Several keys of an organization do not stop the changelogs of others.
func TestAtOnce_CostlyOrganization(t *testing.T) {
	t.Parallel()
	s, hold := startPaused(t, httpapi.Options{}, false)
	hostile := make([]string, 4)
	for i := range hostile {
		key, err := s.guard.Keys.Create(t.Context(), account.KeyRequest{OrganizationID: 2, Scopes: account.Scopes()})
		require.NoError(t, err)
		hostile[i] = key
	}
	for _, key := range hostile[:2] {
		for range httpapi.DefaultMaxCostly / 4 {
			hold(newOperationRequest(changelogPath, key))
		}
	}
	for _, key := range append(hostile, globexKey) {
		got := s.do(newOperationRequest(changelogPath, key))
		requireError(t, got, changelogPath, 429, "TOO_MANY_REQUESTS", "Too many requests")
		require.Equal(t, "1", got.Header.Get("Retry-After"))
	}
	got := s.do(newOperationRequest(changelogPath, globexKey))
	require.Equal(t, `"costly-requests-of-organization";q=8;qu="concurrent-requests"`, got.Header.Get("RateLimit-Policy"))
	require.Equal(t, http.StatusOK, s.do(newOperationRequest(checkPath, globexKey)).Status, "not costly")
	for _, key := range []string{acmeKey, looseKey} {
		require.Equal(t, http.StatusOK, s.do(newOperationRequest(changelogPath, key)).Status, "another caller")
	}
}

// Credentials that are looked up count for the client address, and not for callers.
func TestAuthenticate_AtOnce(t *testing.T) {
	t.Parallel()
	s, hold := startPaused(t, httpapi.Options{MaxRequests: 4}, true)
	for i := range 3 {
		hold(from(fmt.Sprintf("2001:db8::%d", i), newOperationRequest(changelogPath, acmeKey)))
	}
	for _, path := range operationPaths() {
		requireError(t, s.do(from("2001:db8::9", newOperationRequest(path, acmeKey))), path, 429, "TOO_MANY_REQUESTS", "Too many requests")
	}
	require.Equal(t, 200, s.do(from("2001:db8:0:1::1", newOperationRequest(checkPath, acmeKey))).Status, "another network")
}
