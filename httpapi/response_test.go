package httpapi_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/step"
	"github.com/apguard/apguard/storage"
)

// endlessStore is a store whose changelog never ends.
type endlessStore struct{ storage.Store }

func (endlessStore) Changes(_ context.Context, req asset.ListChangesRequest) (step.Page[asset.Change], error) {
	changes := make([]asset.Change, req.Limit)
	for i := range changes {
		changes[i] = asset.Change{
			ID: 1, AssetID: 1, Type: asset.TypeURL, Content: "https://bad.example.com",
			From: asset.StatusUnknown, To: asset.StatusBlocked, At: now,
		}
	}
	return step.Page[asset.Change]{Items: changes, More: true}, nil
}

func TestSend_ClientDoesNotRead(t *testing.T) {
	t.Parallel()
	s := startWith(t, setup{
		options: httpapi.Options{ClientTimeout: time.Millisecond},
		wrap:    func(store storage.Store) storage.Store { return endlessStore{store} },
	})
	ended := make(chan any, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() { ended <- recover() }()
		s.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	client, err := new(net.Dialer).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { _ = client.Close() })
	_, err = fmt.Fprintf(client, "POST %s HTTP/1.1\r\nHost: test\r\nX-API-KEY: %s\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}", changelogPath, acmeKey)
	require.NoError(t, err)
	select {
	case why := <-ended:
		require.Equal(t, http.ErrAbortHandler, why)
	case <-time.After(time.Minute):
		require.FailNow(t, "the request does not end")
	}
	require.Empty(t, s.log.String())
}

// recordingWriter records the calls of its methods.
type recordingWriter struct {
	*httptest.ResponseRecorder
	done []string
	// left has the time until each deadline.
	left []time.Duration
	// err is the error of SetWriteDeadline.
	err error
}

func (c *recordingWriter) SetWriteDeadline(at time.Time) error {
	if at.IsZero() {
		c.done = append(c.done, "no deadline")
		return c.err
	}
	c.done = append(c.done, "deadline")
	c.left = append(c.left, time.Until(at))
	return c.err
}

func (c *recordingWriter) Write(b []byte) (int, error) {
	c.done = append(c.done, "write")
	return c.ResponseRecorder.Write(b)
}

func (c *recordingWriter) FlushError() error {
	c.done = append(c.done, "flush")
	return nil
}

// writeCalls returns the calls for a response with a number of parts.
func writeCalls(parts int) []string {
	return slices.Repeat([]string{"deadline", "write", "flush"}, parts)
}

// streamCalls returns them over HTTP/2, with the deadline removed between the parts.
func streamCalls(parts int) []string {
	part := []string{"no deadline", "deadline", "write", "flush"}
	return slices.Repeat(part, parts)
}

func TestSend_DeadlineOfEachPart(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 70_000)
	expecting := func(r *http.Request) *http.Request { r.Header.Set("Expect", "100-continue"); return r }
	overHTTP2 := func(r *http.Request) *http.Request { r.ProtoMajor = 2; return r }
	for reason, c := range map[string]struct {
		request *http.Request
		want    []string
	}{
		"a long changelog":  {newPost(changelogPath, acmeKey, strings.NewReader(`{}`)), writeCalls(8)},
		"a short changelog": {newPost(changelogPath, acmeKey, strings.NewReader(`{"type":"PAGE"}`)), writeCalls(1)},
		"the status 100 is expected": {
			expecting(newPost(changelogPath, acmeKey, strings.NewReader(`{"type":"PAGE"}`))),
			append([]string{"deadline"}, writeCalls(1)...), // net/http writes it
		},
		"a short response":             {newGet(newReports, acmeKey), writeCalls(1)},
		"a long response":              {newPost(assetsPath, acmeKey, strings.NewReader(`{"assets":[{"content":"`+long+`"}]}`)), writeCalls(3)},
		"an error":                     {newPost(assetsPath, unknownKey, strings.NewReader(`{}`)), writeCalls(1)},
		"a long changelog over HTTP/2": {overHTTP2(newPost(changelogPath, acmeKey, strings.NewReader(`{}`))), streamCalls(8)},
		"a short response over HTTP/2": {overHTTP2(newGet(newReports, acmeKey)), streamCalls(1)},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			s := startWith(t, setup{options: httpapi.Options{ClientTimeout: time.Hour}})
			fill(t, s, 1700)
			w := &recordingWriter{ResponseRecorder: httptest.NewRecorder()}
			s.ServeHTTP(w, c.request)
			require.Equal(t, c.want, w.done)
			for _, left := range w.left {
				require.InDelta(t, time.Hour, left, float64(time.Minute))
			}
			decode(t, w.Body.String())
		})
	}
}

func TestSend_DefaultTimeout(t *testing.T) {
	t.Parallel()
	w := &recordingWriter{ResponseRecorder: httptest.NewRecorder()}
	start(t).ServeHTTP(w, newGet(newReports, acmeKey))
	require.Len(t, w.left, 1)
	require.InDelta(t, 30*time.Second, w.left[0], float64(10*time.Second))
}

func TestSend_WriterWithoutDeadlines(t *testing.T) {
	t.Parallel()
	s := start(t)
	fill(t, s, 1700)
	request := func() *http.Request { return newPost(changelogPath, acmeKey, strings.NewReader(`{}`)) }

	w := &recordingWriter{ResponseRecorder: httptest.NewRecorder(), err: fmt.Errorf("it is plain: %w", http.ErrNotSupported)}
	s.ServeHTTP(w, request())
	require.Len(t, decode(t, w.Body.String())["changelog"], 1702, "deadlines are not required")

	w = &recordingWriter{ResponseRecorder: httptest.NewRecorder(), err: errors.New("closed")}
	require.PanicsWithValue(t, http.ErrAbortHandler, func() { s.ServeHTTP(w, request()) })
	require.Empty(t, w.Body.String(), "the connection failed")
}

func TestTimestamp(t *testing.T) {
	t.Parallel()
	for _, millis := range []int64{0, 7, 45, 123, 999, -1, -62_167_219_200_000, 253_402_300_799_999} {
		at := time.UnixMilli(millis).In(time.FixedZone("", 3600))
		require.Equal(t, at.UTC().Format("2006-01-02T15:04:05.000Z"), httpapi.Timestamp(at))
	}
	require.Equal(t, "2025-06-01T12:00:00.123Z", httpapi.Timestamp(time.Date(2025, 6, 1, 12, 0, 0, 123_999_999, time.UTC)), "rounded down")
}
