package httpapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
)

var errDisk = errors.New("disk 7 is on fire")

// brokenStore knows its keys and fails at all else.
type brokenStore struct {
	storage.Store
	err error
	// pages is how many pages of the changelog it reads before it fails.
	pages int
	// then is called when it fails at a page.
	then func()
}

func broken(store storage.Store) storage.Store { return &brokenStore{Store: store, err: errDisk} }

func (s *brokenStore) Changes(ctx context.Context, f asset.ChangeFilter, after asset.ChangeCursor, limit int) ([]asset.Change, error) {
	if s.pages > 0 {
		s.pages--
		return s.Store.Changes(ctx, f, after, limit)
	}
	if s.then != nil {
		s.then()
	}
	return nil, s.err
}

func (s *brokenStore) CreateDispute(context.Context, dispute.CreateCommand) (dispute.Dispute, error) {
	return dispute.Dispute{}, s.err
}

func (s *brokenStore) AddToAllowlist(context.Context, allowlist.Addition) ([]allowlist.Outcome, error) {
	return nil, s.err
}

func (s *brokenStore) Reports(context.Context, int64, report.Filter, int64, int) ([]report.Report, error) {
	return nil, s.err
}

func TestFailuresOfTheStore(t *testing.T) {
	t.Parallel()
	for path, body := range posts {
		s := startWith(t, setup{wrap: broken})
		requireRefused(t, s.post(path, acmeKey, body), path, http.StatusInternalServerError, "INTERNAL_SERVER_ERROR", "Internal server error")
		require.Contains(t, s.log.String(), "level=ERROR")
		require.Contains(t, s.log.String(), "method=POST path="+path+" ")
		require.Contains(t, s.log.String(), `error="disk 7 is on fire"`)
		require.NotContains(t, s.log.String(), acmeKey)
	}
	s := startWith(t, setup{wrap: broken})
	requireRefused(t, s.get(newReports, acmeKey), newReports, http.StatusInternalServerError, "INTERNAL_SERVER_ERROR", "Internal server error")
}

func TestAReasonThatNoMessageFits(t *testing.T) {
	t.Parallel()
	odd := func(store storage.Store) storage.Store { return oddStore{store} }
	s := startWith(t, setup{wrap: odd})
	requireRefused(t, s.post(assetsPath, acmeKey, posts[assetsPath]), assetsPath, http.StatusInternalServerError, "INTERNAL_SERVER_ERROR", "Internal server error")
	require.Contains(t, s.log.String(), "disk 7 is on fire")
}

type oddStore struct{ storage.Store }

func (oddStore) AddToAllowlist(_ context.Context, _ allowlist.Addition) ([]allowlist.Outcome, error) {
	return []allowlist.Outcome{{Err: errDisk}}, nil
}

func TestClientsThatLeaveAreNoFailure(t *testing.T) {
	t.Parallel()
	for path, body := range posts {
		s := startWith(t, setup{wrap: func(store storage.Store) storage.Store {
			return &brokenStore{Store: store, err: context.Canceled}
		}})
		ctx, cancel := context.WithCancel(context.Background())
		r := newPost(path, acmeKey, io.MultiReader(strings.NewReader(body), leaving(cancel))).WithContext(ctx)
		s.do(r)
		require.Empty(t, s.log.String(), path)
	}
	// A time that the server itself has set is one.
	s := startWith(t, setup{wrap: func(store storage.Store) storage.Store {
		return &brokenStore{Store: store, err: context.DeadlineExceeded}
	}})
	s.post(changelogPath, acmeKey, "{}")
	require.Contains(t, s.log.String(), "deadline")
}

// leaving is the end of a body at which the client leaves.
type leaving func()

func (l leaving) Read([]byte) (int, error) {
	l()
	return 0, io.EOF
}

// readChangelog asks a server on a real connection for the changelog and has the
// body read.
func readChangelog(t *testing.T, s service, read func(io.Reader)) {
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

func TestAFailureInTheMiddleBreaksTheConnection(t *testing.T) {
	t.Parallel()
	var store *brokenStore
	s := startWith(t, setup{wrap: func(inner storage.Store) storage.Store {
		store = &brokenStore{Store: inner, err: errDisk, pages: 1}
		return store
	}})
	fill(t, s, 1500)
	readChangelog(t, s, func(r io.Reader) {
		body, err := io.ReadAll(r)
		require.ErrorIs(t, err, io.ErrUnexpectedEOF)
		require.True(t, strings.HasPrefix(string(body), `{"changelog":[{"assetId":`))
		require.False(t, json.Valid(body))
	})
	require.Contains(t, s.log.String(), "disk 7 is on fire")
}

func TestTheFirstChangesLeaveEarly(t *testing.T) {
	t.Parallel()
	read := make(chan struct{})
	var store *brokenStore
	s := startWith(t, setup{wrap: func(inner storage.Store) storage.Store {
		store = &brokenStore{Store: inner, err: errDisk, pages: 1, then: func() { <-read }}
		return store
	}})
	fill(t, s, 1500)
	// The store waits in the second page until the client has seen the first.
	readChangelog(t, s, func(r io.Reader) {
		defer close(read)
		start := make([]byte, 64<<10)
		_, err := io.ReadFull(r, start)
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(string(start), `{"changelog":[{"assetId":`))
	})
}

// deaf is a connection that takes some bytes and then no more.
type deaf struct {
	*httptest.ResponseRecorder
	takes int
	// when is called at each write.
	when func()
}

func (d *deaf) Write(b []byte) (int, error) {
	d.when()
	if d.takes -= len(b); d.takes < 0 {
		return 0, io.ErrClosedPipe
	}
	return d.ResponseRecorder.Write(b)
}

func TestNobodyReadsTheChangelog(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		takes  int
		leaves bool
	}{
		"the connection is closed at once":       {0, false},
		"the connection is closed in the middle": {40 << 10, false},
		"the client leaves":                      {1 << 30, true},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			s := start(t)
			fill(t, s, 5000)
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			writes := 0
			w := &deaf{ResponseRecorder: httptest.NewRecorder(), takes: c.takes}
			w.when = func() {
				writes++
				if c.leaves {
					cancel()
				}
			}
			r := newPost(changelogPath, acmeKey, strings.NewReader("{}")).WithContext(ctx)
			require.PanicsWithValue(t, http.ErrAbortHandler, func() { s.ServeHTTP(w, r) })
			require.LessOrEqual(t, writes, 2, "it stops at once")
			require.Empty(t, s.log.String())
		})
	}
}

// plain is a connection that cannot be flushed.
type plain struct{ http.ResponseWriter }

// stuck is a connection that fails to flush.
type stuck struct{ http.ResponseWriter }

func (stuck) FlushError() error { return io.ErrClosedPipe }

func TestChangelogFlushing(t *testing.T) {
	t.Parallel()
	s := start(t)
	fill(t, s, 1500)
	recorder := httptest.NewRecorder()
	s.ServeHTTP(plain{recorder}, newPost(changelogPath, acmeKey, strings.NewReader("{}")))
	require.Len(t, decode(t, recorder.Body.String())["changelog"], 1502)
	require.PanicsWithValue(t, http.ErrAbortHandler, func() {
		s.ServeHTTP(stuck{httptest.NewRecorder()}, newPost(changelogPath, acmeKey, strings.NewReader("{}")))
	})
}
