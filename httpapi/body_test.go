package httpapi_test

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/internal/test/testsize"
)

// limitOf returns the maximum size of a body.
func limitOf(path string) int {
	if path == assetsPath || path == removePath || path == batchPath {
		return httpapi.DefaultMaxBatchBody
	}
	return httpapi.MaxBody
}

func TestReadBody_Limit(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	s := start(t)
	s.Handler = http.StripPrefix(base, s.api) // without conformance checks, which take long for long bodies
	tooLarge := func(r *http.Request, path string) {
		t.Helper()
		requireError(t, s.do(r), path, http.StatusRequestEntityTooLarge, "PAYLOAD_TOO_LARGE", "Request body is too large")
	}
	for path, body := range posts {
		limit := limitOf(path)
		fits := body + strings.Repeat(" ", limit-len(body))
		accepted := []int{http.StatusOK, http.StatusBadRequest} // a second dispute
		for _, length := range []int{limit, -1, len(body), limit - 1} {
			r := newPost(path, acmeKey, strings.NewReader(fits))
			r.ContentLength = int64(length)
			require.Contains(t, accepted, s.do(r).Status, "at the limit")
		}
		require.Contains(t, accepted, s.post(path, acmeKey, fits[1:]).Status, "one below it")

		tooLarge(newPost(path, acmeKey, strings.NewReader(fits+" ")), path)
		announced := newPost(path, acmeKey, iotest.ErrReader(errors.New("was read")))
		announced.ContentLength = int64(limit + 1)
		tooLarge(announced, path)
		for _, length := range []int{limit, -1, 1} {
			unannounced := newPost(path, acmeKey, strings.NewReader(fits+" "))
			unannounced.ContentLength = int64(length)
			tooLarge(unannounced, path)
		}
	}
	// The body of an operation without a body is not read.
	r := newRequest(http.MethodGet, newReports, iotest.ErrReader(errors.New("was read")))
	r.Header.Set("X-API-KEY", acmeKey)
	r.Header.Set("Content-Type", "text/plain")
	require.Equal(t, http.StatusOK, s.do(r).Status)
}

func TestReadBody_LimitOfTheHost(t *testing.T) {
	t.Parallel()
	s := startWith(t, setup{options: httpapi.Options{MaxBatchBody: 100}})
	body := posts[assetsPath] + strings.Repeat(" ", 100-len(posts[assetsPath]))
	require.Equal(t, http.StatusOK, s.post(assetsPath, acmeKey, body).Status)
	require.Equal(t, http.StatusRequestEntityTooLarge, s.post(assetsPath, acmeKey, body+" ").Status)
	require.Equal(t, http.StatusOK, s.post(changelogPath, acmeKey, `{}`+strings.Repeat(" ", 100)).Status)
}

func TestReadBody_Incomplete(t *testing.T) {
	t.Parallel()
	s := start(t)
	cut := newPost(changelogPath, acmeKey, io.MultiReader(strings.NewReader("{"), iotest.ErrReader(io.ErrUnexpectedEOF)))
	got := s.do(cut)
	requireInvalid(t, got, "the body ends too early")

	none := newPost(changelogPath, acmeKey, nil)
	none.Body = nil
	got = s.do(none)
	requireInvalid(t, got, "the body must be a JSON object, but is empty")
}

// unfinished sends a request with only one byte of its body, and returns when the server has
// begun to read the body.
func unfinished(t *testing.T, e liveServer, path, key string, length int) {
	t.Helper()
	client := e.dial(t)
	_, err := io.WriteString(client, head(path, key)+"Expect: 100-continue\r\nContent-Length: "+strconv.Itoa(length)+"\r\n\r\n")
	require.NoError(t, err)
	response, err := http.ReadResponse(bufio.NewReader(client), nil)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusContinue, response.StatusCode)
	_, err = io.WriteString(client, "{")
	require.NoError(t, err)
	t.Cleanup(func() {
		_ = client.CloseWrite() // the test may have failed
		statuses(client)
	})
}

func TestReadBody_BudgetOfACaller(t *testing.T) {
	t.Parallel()
	listener := listenTCP(t)
	seen := new(recordingObserver)
	e := serveOn(t, listener, setup{options: httpapi.Options{
		MaxBatchBody: 1 << 17, MaxBodyBytes: 1 << 19, Observer: seen,
	}})
	unfinished(t, e, assetsPath, acmeKey, 1<<17)
	// The beginning holds 64 KiB.
	for path, body := range posts {
		fits := body + strings.Repeat(" ", 1<<16-len(body))
		require.Equal(t, http.StatusOK, e.post(path, acmeKey, fits).Status, path)
		require.NotContains(t, limitStatuses(), e.post(path, globexKey, fits).Status, "another caller")
	}
	refused := func(path, body string) {
		t.Helper()
		got := e.post(path, acmeKey, body)
		requireError(t, got, path, http.StatusTooManyRequests, "TOO_MANY_REQUESTS", "Too many requests")
		require.Equal(t, "1", got.Header.Get("Retry-After"))
		require.Empty(t, got.Header.Get("RateLimit"), "the limit is not a number of requests")
	}
	refused(assetsPath, posts[assetsPath]+strings.Repeat(" ", 1<<16))

	unfinished(t, e, changelogPath, acmeKey, 1<<16)
	for path, body := range posts {
		refused(path, body)
		require.NotContains(t, limitStatuses(), e.post(path, globexKey, body).Status, "another caller")
	}
	require.Equal(t, http.StatusOK, e.get(newReports, acmeKey).Status, "it takes no body")
	require.NotContains(t, e.log.String(), "level=ERROR")
}

func TestReadBody_BudgetInAll(t *testing.T) {
	t.Parallel()
	e := serveOn(t, listenTCP(t), setup{options: httpapi.Options{
		MaxBatchBody: 1 << 16, MaxBodyBytes: 1 << 18,
		ClientAddr: func(r *http.Request) netip.Addr { // each key has its own
			sum := sha256.Sum256([]byte(r.Header.Get("X-Api-Key")))
			return netip.AddrFrom4([4]byte(sum[:4]))
		},
	}})
	key := func(organization int64) string {
		key, err := e.guard.Keys.Create(t.Context(), account.KeyRequest{OrganizationID: organization, Scopes: account.Scopes()})
		require.NoError(t, err)
		return key
	}
	unfinished(t, e, changelogPath, acmeKey, 1<<16)
	unfinished(t, e, changelogPath, key(1), 1<<16)
	unfinished(t, e, changelogPath, looseKey, 1<<16)
	unfinished(t, e, changelogPath, globexKey, 1<<16-10)
	last := key(2)
	exact := newPost(changelogPath, last, strings.NewReader(`{"x":"yz"}`))
	require.Equal(t, http.StatusOK, e.do(exact).Status, "at the limit")
	for path := range posts {
		got := e.post(path, last, `{"x":"xyz"}`)
		requireError(t, got, path, http.StatusServiceUnavailable, "SERVICE_UNAVAILABLE", "Service unavailable")
		require.Equal(t, "1", got.Header.Get("Retry-After"))
	}
}

// The bytes of a request are free again when it is answered, however it is answered.
func TestReadBody_BudgetIsReturned(t *testing.T) {
	t.Parallel()
	full := strings.Repeat(" ", 1<<16)
	path, body := assetsPath, posts[assetsPath]
	s := startWith(t, setup{options: httpapi.Options{MaxBatchBody: 1 << 16, MaxBodyBytes: 1 << 18}})
	for range 3 {
		for _, r := range []*http.Request{
			newPost(path, acmeKey, strings.NewReader(body+full[len(body):])),
			newPost(path, acmeKey, strings.NewReader(full)),
			newPost(path, acmeKey, strings.NewReader(full+" ")),
			newPost(path, acmeKey, io.MultiReader(strings.NewReader(full[1:]), iotest.ErrReader(io.ErrUnexpectedEOF))),
		} {
			require.NotContains(t, limitStatuses(), s.do(r).Status)
		}
	}
}

// Callers without a key are told apart by organization and user.
func TestReadBody_CallersWithoutKeys(t *testing.T) {
	t.Parallel()
	principals := make(chan account.Principal, 1)
	authenticator := authenticatorFunc(func(*http.Request) (account.Principal, error) { return <-principals, nil })
	api := newAPI(t, authenticator, httpapi.Options{MaxBatchBody: 1 << 16, MaxBodyBytes: 1 << 18})
	s := testServer{Handler: api, tb: t}
	reading, finish := make(chan struct{}), make(chan struct{})
	principal := func(organization, user int64) account.Principal {
		p := fullAccess().principal
		p.OrganizationID, p.UserID = organization, user
		return p
	}
	var group sync.WaitGroup
	group.Go(func() {
		principals <- principal(1, 2)
		r := newPost("/asset/changelog", "", io.MultiReader(waitingReader{reading, finish}, strings.NewReader("{}")))
		r.ContentLength = 1 << 16
		s.do(r)
	})
	<-reading
	for _, c := range []struct {
		organization, user int64
		status             int
	}{
		{1, 2, http.StatusTooManyRequests},
		{1, 3, http.StatusOK},
		{2, 2, http.StatusOK},
		{12, 0, http.StatusOK},
		{0, 12, http.StatusOK},
	} {
		principals <- principal(c.organization, c.user)
		require.Equal(t, c.status, s.post("/asset/changelog", "", "{}").Status)
	}
	close(finish)
	group.Wait()
}

// waitingReader is empty, but not before it may finish.
type waitingReader struct{ reading, finish chan struct{} }

func (r waitingReader) Read([]byte) (int, error) {
	close(r.reading)
	<-r.finish
	return 0, io.EOF
}

// authenticatorFunc is an Authenticator.
type authenticatorFunc func(*http.Request) (account.Principal, error)

func (f authenticatorFunc) Authenticate(r *http.Request) (account.Principal, error) { return f(r) }
