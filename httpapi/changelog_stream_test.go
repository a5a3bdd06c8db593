package httpapi_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/storage"
)

// readChangelog requests the changelog over TCP and calls read with the body.
func readChangelog(t *testing.T, s testServer, read func(io.Reader)) {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+changelogPath, strings.NewReader("{}"))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-API-KEY", acmeKey)
	response, err := server.Client().Do(r)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	require.Equal(t, http.StatusOK, response.StatusCode)
	read(response.Body)
}

func TestStreamChanges_FailureAfterFirstPart(t *testing.T) {
	t.Parallel()
	var store *failingStore
	s := startWith(t, setup{wrap: func(inner storage.Store) storage.Store {
		store = &failingStore{Store: inner, err: errDisk, pages: 1}
		return store
	}})
	fill(t, s, 1500)
	readChangelog(t, s, func(r io.Reader) {
		body, err := io.ReadAll(r)
		require.ErrorIs(t, err, io.ErrUnexpectedEOF)
		require.True(t, strings.HasPrefix(string(body), `{"changelog":[{"assetId":`))
		require.False(t, json.Valid(body))
	})
	require.Contains(t, s.log.String(), "disk failure")
}

func TestStreamChanges_FirstPartIsSentEarly(t *testing.T) {
	t.Parallel()
	read := make(chan struct{})
	var store *failingStore
	s := startWith(t, setup{wrap: func(inner storage.Store) storage.Store {
		store = &failingStore{Store: inner, err: errDisk, pages: 1, then: func() { <-read }}
		return store
	}})
	fill(t, s, 1500)
	// The store blocks in the second page until the client has read the first.
	readChangelog(t, s, func(r io.Reader) {
		defer close(read)
		start := make([]byte, 64<<10)
		_, err := io.ReadFull(r, start)
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(string(start), `{"changelog":[{"assetId":`))
	})
}

// closingWriter fails after a number of bytes.
type closingWriter struct {
	*httptest.ResponseRecorder
	takes int
	// when is called before each write.
	when func()
}

func (d *closingWriter) Write(b []byte) (int, error) {
	d.when()
	if d.takes -= len(b); d.takes < 0 {
		return 0, io.ErrClosedPipe
	}
	return d.ResponseRecorder.Write(b)
}

func TestStreamChanges_ClientGone(t *testing.T) {
	t.Parallel()
	for reason, takes := range map[string]int{
		"the connection is closed at once":       0,
		"the connection is closed in the middle": 40 << 10,
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			s := start(t)
			fill(t, s, 5000)
			writes := 0
			w := &closingWriter{ResponseRecorder: httptest.NewRecorder(), takes: takes, when: func() { writes++ }}
			r := newPost(changelogPath, acmeKey, strings.NewReader("{}"))
			require.PanicsWithValue(t, http.ErrAbortHandler, func() { s.ServeHTTP(w, r) })
			require.LessOrEqual(t, writes, 2, "the stream stops")
			require.Empty(t, s.log.String())
		})
	}
}

// noFlushWriter does not support Flush.
type noFlushWriter struct{ http.ResponseWriter }

// failingFlushWriter fails in Flush.
type failingFlushWriter struct{ http.ResponseWriter }

func (failingFlushWriter) FlushError() error { return io.ErrClosedPipe }

func TestStreamChanges_Flush(t *testing.T) {
	t.Parallel()
	s := start(t)
	fill(t, s, 1500)
	recorder := httptest.NewRecorder()
	s.ServeHTTP(noFlushWriter{recorder}, newPost(changelogPath, acmeKey, strings.NewReader("{}")))
	require.Len(t, decode(t, recorder.Body.String())["changelog"], 1502)
	require.PanicsWithValue(t, http.ErrAbortHandler, func() {
		s.ServeHTTP(failingFlushWriter{httptest.NewRecorder()}, newPost(changelogPath, acmeKey, strings.NewReader("{}")))
	})
}

func TestStreamChanges_HTTP2(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		wrap  func(storage.Store) storage.Store
		whole bool
	}{
		"all of it":                  {func(store storage.Store) storage.Store { return store }, true},
		"the store fails in between": {func(store storage.Store) storage.Store { return &failingStore{Store: store, err: errDisk, pages: 1} }, false},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			seen := new(recordingObserver)
			s := startWith(t, setup{options: httpapi.Options{Observer: seen}, wrap: c.wrap})
			fill(t, s, 1700)
			server := httptest.NewUnstartedServer(s)
			server.EnableHTTP2 = true
			server.StartTLS()
			defer server.Close()
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+changelogPath, strings.NewReader("{}"))
			require.NoError(t, err)
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("X-API-KEY", acmeKey)
			response, err := server.Client().Do(r)
			require.NoError(t, err)
			defer func() { _ = response.Body.Close() }()
			require.Equal(t, 2, response.ProtoMajor)
			body, err := io.ReadAll(response.Body)
			server.Close() // waits for the observer
			require.Equal(t, !c.whole, seen.only(t).Aborted)
			if !c.whole {
				require.Error(t, err, "the stream is reset")
				return
			}
			require.NoError(t, err)
			require.Len(t, decode(t, string(body))["changelog"], 1702)
		})
	}
}
