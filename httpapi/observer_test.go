package httpapi_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/storage"
)

// recordingObserver records requests.
type recordingObserver struct {
	mu       sync.Mutex
	requests []httpapi.RequestInfo
}

func (w *recordingObserver) Observe(ctx context.Context, e httpapi.RequestInfo) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if httpapi.RequestID(ctx) != e.ID {
		panic("the context is another request's")
	}
	if _, limited := ctx.Deadline(); ctx.Err() != nil && !limited {
		panic("the context has ended, although the host application did not limit it")
	}
	w.requests = append(w.requests, e)
}

// only returns the only recorded request, without its ID, duration and client address.
func (w *recordingObserver) only(t *testing.T) httpapi.RequestInfo {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	require.Len(t, w.requests, 1)
	e := w.requests[0]
	require.NotEmpty(t, e.ID)
	require.Positive(t, e.Duration)
	e.ID, e.Duration, e.ClientAddr = "", 0, netip.Addr{}
	return e
}

// acmeInfo sets the fields of acme's key.
func acmeInfo(e httpapi.RequestInfo) httpapi.RequestInfo {
	e.OrganizationID, e.UserID = 1, 1
	e.Fingerprint = account.Fingerprint(account.HashKey(acmeKey))
	return e
}

func TestObserve(t *testing.T) {
	t.Parallel()
	post := func(path, key, body string) *http.Request { return newPost(path, key, strings.NewReader(body)) }
	with := func(r *http.Request, change func(*http.Request)) *http.Request { change(r); return r }
	for reason, c := range map[string]struct {
		request *http.Request
		want    httpapi.RequestInfo
		// level and logged are parts of the log record.
		level  string
		logged []string
	}{
		"an accepted request": {
			post(disputePath, acmeKey, `{"content":"https://bad.example.com"}`),
			acmeInfo(httpapi.RequestInfo{Operation: "/dispute/create", Method: "POST", Status: 200, Received: 37}),
			"INFO", []string{"organization=1", "user=1", "key=3e0ddf305a51", "status=200", "received=37", "sent=46"},
		},
		"a stream": {
			post(changelogPath, acmeKey, `{"content":"https://new.example.com"}`),
			acmeInfo(httpapi.RequestInfo{Operation: "/asset/changelog", Method: "POST", Status: 200, Received: 37}),
			"INFO", []string{"path=/asset/changelog "},
		},
		"an invalid body": {
			post(disputePath, acmeKey, `{}`),
			acmeInfo(httpapi.RequestInfo{Operation: "/dispute/create", Method: "POST", Status: 400, Received: 2}),
			"INFO", []string{"status=400"},
		},
		"an unknown key": {
			post(disputePath, unknownKey, `{}`),
			httpapi.RequestInfo{Operation: "/dispute/create", Method: "POST", Status: 401,
				Fingerprint: account.Fingerprint(account.HashKey(unknownKey)), Refused: account.ErrUnknownKey},
			"INFO", []string{`refused="unknown API key"`, "key=" + account.Fingerprint(account.HashKey(unknownKey))},
		},
		"no key": {
			with(post(disputePath, "", `{}`), func(r *http.Request) { r.Header.Del("X-Api-Key") }),
			httpapi.RequestInfo{Operation: "/dispute/create", Method: "POST", Status: 401},
			"INFO", nil,
		},
		"a key without the scope": {
			post(disputePath, powerlessKey, `{}`),
			func() httpapi.RequestInfo {
				e := acmeInfo(httpapi.RequestInfo{Operation: "/dispute/create", Method: "POST", Status: 403})
				e.Fingerprint = account.Fingerprint(account.HashKey(powerlessKey))
				return e
			}(),
			"INFO", []string{"status=403", "organization=1"},
		},
		"HEAD, without response body": {
			with(newGet(newReports+"?status=CLOSED", acmeKey), func(r *http.Request) { r.Method = http.MethodHead }),
			acmeInfo(httpapi.RequestInfo{Operation: "/organization/reports", Method: "HEAD", Status: 200}),
			"INFO", []string{"sent=0", "path=/organization/reports "},
		},
		"an invented method": {
			with(newGet(newReports, acmeKey), func(r *http.Request) { r.Method = "X" + strings.Repeat("Y", 999) }),
			httpapi.RequestInfo{Operation: "/organization/reports", Status: 405},
			"INFO", []string{"method=X" + strings.Repeat("Y", 255) + " "},
		},
		"unknown path": {
			newGet(base+"/"+strings.Repeat("z", 999), acmeKey),
			httpapi.RequestInfo{Method: "GET", Status: 404},
			"INFO", []string{"path=/" + strings.Repeat("z", 255) + " "},
		},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			seen := new(recordingObserver)
			s := startWith(t, setup{everyRequest: true, options: httpapi.Options{Observer: seen}})
			s.Handler = checked(t, http.StripPrefix(base, s.api)) // which has every method and path
			got := s.do(c.request)
			if c.request.Method != http.MethodHead {
				c.want.Sent = int64(len(got.Body))
			}
			require.Equal(t, c.want, seen.only(t))
			log := s.log.String()
			require.Equal(t, 1, strings.Count(log, "\n"), "one line a request: %s", log)
			for _, part := range append(c.logged, "level="+c.level+" ", "msg=request ") {
				require.Contains(t, log, part)
			}
			require.NotContains(t, log, acmeKey)
			require.NotContains(t, log, unknownKey)
			require.NotContains(t, log, "ada@acme.test")
			require.NotContains(t, log, "example.com", "contents are not logged")
		})
	}
}

func TestObserve_ServerErrors(t *testing.T) {
	t.Parallel()
	errList := errors.New("list is down")
	for reason, c := range map[string]struct {
		setup      setup
		path, body string
		want       httpapi.RequestInfo
		errs       []error
		level      string
	}{
		"the store fails": {
			setup{wrap: failing}, disputePath, posts[disputePath],
			acmeInfo(httpapi.RequestInfo{Operation: "/dispute/create", Method: "POST", Status: 500, Received: 37, Sent: 78}),
			[]error{errDisk}, "ERROR",
		},
		"an external list fails, and the answer does not need it": {
			setup{guard: apguard.Options{ExternalLists: check.ExternalLists{externalList{err: errList}}}}, disputePath, posts[disputePath],
			acmeInfo(httpapi.RequestInfo{Operation: "/dispute/create", Method: "POST", Status: 200, Received: 37, Sent: 46}),
			[]error{errList}, "WARN",
		},
		"both fail": {
			setup{wrap: failing, guard: apguard.Options{ExternalLists: check.ExternalLists{externalList{err: errList}}}}, disputePath, posts[disputePath],
			acmeInfo(httpapi.RequestInfo{Operation: "/dispute/create", Method: "POST", Status: 500, Received: 37, Sent: 78}),
			[]error{errList, errDisk}, "ERROR",
		},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			seen := new(recordingObserver)
			c.setup.options.Observer = seen
			s := startWith(t, c.setup)
			s.post(c.path, acmeKey, c.body)
			got := seen.only(t)
			for _, want := range c.errs {
				require.ErrorIs(t, got.Err, want)
			}
			got.Err = nil
			require.Equal(t, c.want, got)
			require.Contains(t, s.log.String(), "level="+c.level+" ")
		})
	}
}

func TestObserve_AbortedStream(t *testing.T) {
	t.Parallel()
	seen := new(recordingObserver)
	s := startWith(t, setup{options: httpapi.Options{Observer: seen}, wrap: func(inner storage.Store) storage.Store {
		return &failingStore{Store: inner, err: errDisk, pages: 1}
	}})
	fill(t, s, 3000)
	require.PanicsWithValue(t, http.ErrAbortHandler, func() { s.post(changelogPath, acmeKey, "{}") })
	got := seen.only(t)
	require.ErrorIs(t, got.Err, errDisk)
	require.True(t, got.Aborted)
	require.False(t, got.ClientGone)
	require.Equal(t, http.StatusOK, got.Status)
	require.Positive(t, got.Sent)
	require.Contains(t, s.log.String(), "level=ERROR")
	require.Contains(t, s.log.String(), "aborted=true")
}

func TestObserve_ClientGone(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		wrap       func(storage.Store) storage.Store
		path, body string
		// status is that of RequestInfo.
		status int
		level  string
	}{
		"a short response": {nil, disputePath, posts[disputePath], 499, "INFO"},
		"a stream":         {nil, changelogPath, posts[changelogPath], 499, "INFO"},
		"an error":         {nil, disputePath, "[", 499, "INFO"},
		"a failure of the server, which did not come from the client": {failing, disputePath, posts[disputePath], 500, "ERROR"},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			seen := new(recordingObserver)
			s := startWith(t, setup{everyRequest: true, wrap: c.wrap, options: httpapi.Options{Observer: seen}})
			fill(t, s, 1700)
			func() {
				defer func() { _ = recover() }() // a stream panics
				w := &closingWriter{ResponseRecorder: httptest.NewRecorder(), when: func() {}}
				s.ServeHTTP(w, newPost(c.path, acmeKey, strings.NewReader(c.body)))
			}()
			got := seen.only(t)
			require.True(t, got.ClientGone)
			require.True(t, got.Aborted)
			require.Equal(t, c.status, got.Status)
			require.Equal(t, c.level == "ERROR", got.Err != nil)
			require.Contains(t, s.log.String(), "level="+c.level)
			require.Contains(t, s.log.String(), "status="+strconv.Itoa(c.status))
			require.Contains(t, s.log.String(), "client_gone=true")
		})
	}
}

func TestObserve_CompleteStream(t *testing.T) {
	t.Parallel()
	seen := new(recordingObserver)
	s := startWith(t, setup{options: httpapi.Options{Observer: seen}})
	fill(t, s, 1700)
	got := s.post(changelogPath, acmeKey, "{}")
	require.Greater(t, len(got.Body), 64<<10, "the response has several parts")
	want := httpapi.RequestInfo{Operation: "/asset/changelog", Method: "POST", Status: 200, Received: 2, Sent: int64(len(got.Body))}
	require.Equal(t, acmeInfo(want), seen.only(t))
}

func TestObserve_ClientGoneAfterResponse(t *testing.T) {
	t.Parallel()
	seen := new(recordingObserver)
	s := startWith(t, setup{options: httpapi.Options{Observer: seen}})
	ctx, cancel := context.WithCancel(context.Background())
	recorder := cancelingWriter{httptest.NewRecorder(), cancel}
	s.ServeHTTP(recorder, newPost(disputePath, acmeKey, strings.NewReader(posts[disputePath])).WithContext(ctx))
	require.Error(t, ctx.Err())
	require.False(t, seen.only(t).ClientGone)
}

// cancelingWriter cancels the request when the response is flushed.
type cancelingWriter struct {
	*httptest.ResponseRecorder
	leave func()
}

func (l cancelingWriter) FlushError() error { l.leave(); return nil }

func TestObserve_Panic(t *testing.T) {
	t.Parallel()
	seen := new(recordingObserver)
	log := new(logBuffer)
	api := newAPI(t, panickingAuthenticator{}, httpapi.Options{Observer: seen, Logger: newLogger(log)})
	require.PanicsWithValue(t, "host", func() { testServer{Handler: api, tb: t}.post("/dispute/create", acmeKey, "{}") })
	got := seen.only(t)
	require.EqualError(t, got.Err, "panic: host")
	got.Err = nil
	require.Equal(t, httpapi.RequestInfo{Operation: "/dispute/create", Method: "POST", Aborted: true}, got)
	require.Contains(t, log.String(), "level=ERROR")
}

type panickingAuthenticator struct{}

func (panickingAuthenticator) Authenticate(*http.Request) (account.Principal, error) { panic("host") }
