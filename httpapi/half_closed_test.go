package httpapi_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/storage"
)

type requestContextKey struct{}

// withRequestContext lets waitForCancel find the context of the request.
func withRequestContext(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestContextKey{}, r.Context())))
	})
}

// waitForCancel waits until net/http has canceled the context of the request, which it does when
// the client closes its half of the connection.
func waitForCancel(ctx context.Context) error {
	<-ctx.Value(requestContextKey{}).(context.Context).Done()
	return nil
}

// serveLate serves the API on a store that calls waitForCancel.
func serveLate(t *testing.T) liveServer {
	t.Helper()
	listener := listenTCP(t)
	return serveOn(t, listener, setup{
		wrap:    func(store storage.Store) storage.Store { return hookedStore{Store: store, before: waitForCancel} },
		handler: withRequestContext,
		options: httpapi.Options{MaxRequests: 800, MaxCostly: 800},
	})
}

// wireRequests returns a valid request for each operation, as it is sent.
func wireRequests(number int) map[string]string {
	requests := map[string]string{
		newReports:   "GET " + newReports + " HTTP/1.1\r\nHost: test\r\nX-API-KEY: " + acmeKey + "\r\n\r\n",
		documentPath: "GET " + documentPath + " HTTP/1.1\r\nHost: test\r\n\r\n",
	}
	for path, body := range posts {
		if path == disputePath {
			body = `{"content":"https://bad.example.com","email":"ada+` + strconv.Itoa(number) + `@acme.test"}`
		}
		requests[path] = head(path, acmeKey) + "Content-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body
	}
	return requests
}

// askHalfClosedAtOnce sends count requests at once. wait returns the statuses of the responses.
func askHalfClosedAtOnce(t *testing.T, e liveServer, path string, count int) (wait func() []int) {
	t.Helper()
	var clients sync.WaitGroup
	statuses := make([]int, count)
	errs := make([]error, len(statuses))
	for i := range statuses {
		client := e.dial(t)
		clients.Go(func() { statuses[i], errs[i] = askHalfClosed(client, wireRequests(i)[path]) })
	}
	return func() []int {
		t.Helper()
		clients.Wait()
		for _, err := range errs {
			require.NoError(t, err)
		}
		return statuses
	}
}

func TestConnection_HalfClosed(t *testing.T) {
	t.Parallel()
	for path := range wireRequests(0) {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			e := serveLate(t)
			statuses := askHalfClosedAtOnce(t, e, path, testsize.OfShort(20, 200))()
			require.Equal(t, []int{http.StatusOK}, slices.Compact(statuses))
			e.requireNoFailures(t, len(statuses))
			for _, info := range e.observer.requests {
				require.Equal(t, http.StatusOK, info.Status)
				require.False(t, info.ClientGone)
				require.False(t, info.Aborted)
			}
		})
	}
}

// Requests beyond the limits of one client are no failures of the server either.
func TestConnection_HalfClosedBeyondLimits(t *testing.T) {
	t.Parallel()
	paused := &pause{entered: make(chan struct{}, 200), resume: make(chan struct{})}
	paused.calls.Store(200)
	e := serveOn(t, listenTCP(t), setup{wrap: func(store storage.Store) storage.Store {
		return hookedStore{Store: store, before: paused.wait}
	}})
	wait := askHalfClosedAtOnce(t, e, disputePath, 200)
	refused := func() bool { return e.observed() >= 200-httpapi.DefaultMaxRequests/4 }
	require.Eventually(t, refused, time.Minute, time.Millisecond)
	close(paused.resume)
	statuses := wait()
	require.Contains(t, statuses, http.StatusOK)
	require.Subset(t, []int{http.StatusOK, http.StatusTooManyRequests}, statuses)
	e.requireNoFailures(t, len(statuses))
}

// askHalfClosed sends a request, closes its half of the connection and reads the response.
func askHalfClosed(client *net.TCPConn, request string) (int, error) {
	if _, err := io.WriteString(client, request); err != nil {
		return 0, err
	}
	if err := client.CloseWrite(); err != nil {
		return 0, err
	}
	return readStatus(client)
}

// readStatus reads a whole response and returns its status.
func readStatus(client net.Conn) (int, error) {
	response, err := http.ReadResponse(bufio.NewReader(client), nil)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close() //nolint:errcheck // the body is read to its end
	_, err = io.Copy(io.Discard, response.Body)
	return response.StatusCode, err
}

// TestConnection_HalfClosedStream has a response of several parts.
func TestConnection_HalfClosedStream(t *testing.T) {
	t.Parallel()
	e := serveLate(t)
	fill(t, e.testServer, 1500)
	status, err := askHalfClosed(e.dial(t), wireRequests(0)[changelogPath])
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, status)
	e.requireNoFailures(t, 1)
	require.Greater(t, e.observer.requests[0].Sent, int64(100_000))
	require.False(t, e.observer.requests[0].Aborted)
}

func TestConnection_ClientGone(t *testing.T) {
	t.Parallel()
	for path, request := range wireRequests(0) {
		if path == documentPath { // which is sent before the client can leave
			continue
		}
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			e := serveLate(t)
			client := e.dial(t)
			_, err := io.WriteString(client, request)
			require.NoError(t, err)
			require.NoError(t, client.SetLinger(0), "closing resets the connection")
			require.NoError(t, client.Close())
			e.requireNoFailures(t, 1)
			got := e.observer.requests[0]
			require.Equal(t, 499, got.Status)
			require.True(t, got.ClientGone)
			require.True(t, got.Aborted)
		})
	}
}

// A request whose context has ended is served all the same.
func TestDetach_Canceled(t *testing.T) {
	t.Parallel()
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	s := start(t)
	for path, body := range posts {
		require.Equal(t, http.StatusOK, s.do(newPost(path, acmeKey, strings.NewReader(body)).WithContext(canceled)).Status, path)
	}
	require.Equal(t, http.StatusOK, s.do(newGet(newReports, acmeKey).WithContext(canceled)).Status)
}
