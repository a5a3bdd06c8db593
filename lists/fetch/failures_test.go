package fetch_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/lists/fetch"
)

// compressed answers with a file that gzip has compressed, after a change to that.
func compressed(text string, change func(file []byte) []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = z.Write([]byte(text))
		_ = z.Close()
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(change(b.Bytes()))
	}
}

func whole(file []byte) []byte { return file }

// broken answers with a file that breaks off.
func broken(text string, length int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if length > 0 {
			w.Header().Set("Content-Length", strconv.Itoa(length))
		}
		_, _ = w.Write([]byte(text))
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
}

// endless answers with a file that goes on, slowly or not, until nobody reads it.
func endless(w http.ResponseWriter, _ *http.Request) {
	for {
		if _, err := w.Write([]byte("#")); err != nil {
			return
		}
		if err := http.NewResponseController(w).Flush(); err != nil {
			return
		}
	}
}

// stalled answers with the beginning of a file.
func stalled(text, length string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if length != "" {
			w.Header().Set("Content-Length", length)
		}
		if text != "" {
			file(text)(w, r)
			_ = http.NewResponseController(w).Flush()
		}
		<-r.Context().Done()
	}
}

func redirect(to string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusFound) }
}

// A fetch that fails changes nothing that the list holds. The list says why, without its URL, and is fetched again later.
func TestFetcher_failures(t *testing.T) {
	t.Parallel()
	const limit = 1000
	for reason, c := range map[string]struct {
		answer  http.HandlerFunc
		failure fetch.Failure
		text    string
	}{
		"not there":                {status(http.StatusNotFound), fetch.FailureStatus, "status 404"},
		"overloaded":               {status(http.StatusServiceUnavailable), fetch.FailureStatus, "status 503"},
		"no content":               {status(http.StatusNoContent), fetch.FailureStatus, "status 204"},
		"a part":                   {status(http.StatusPartialContent), fetch.FailureStatus, "status 206"},
		"unchanged, unasked":       {status(http.StatusNotModified), fetch.FailureStatus, "status 304"},
		"a redirection to nothing": {status(http.StatusFound), fetch.FailureStatus, "status 302"},
		"a list with a status": {func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusBadGateway)
			file("b.com\n")(w, r)
		}, fetch.FailureStatus, "status 502"},
		"a redirection loop":      {redirect("/again"), fetch.FailureRedirect, "more than 5 redirections"},
		"a redirection to a file": {redirect("file:///etc/passwd"), fetch.FailureURL, "the URL, or one to which it redirects, is not allowed"},
		"a redirection with a name": {
			redirect("http://user:hunter2@127.0.0.1/"), fetch.FailureURL, "the URL, or one to which it redirects, is not allowed",
		},
		"too large":                  {file(hosts(1, limit)), fetch.FailureSize, "too large: more than 1000 bytes"},
		"a byte too large":           {file("b.com\n" + strings.Repeat("#", limit-5)), fetch.FailureSize, "too large: more than 1000 bytes"},
		"small, but large in memory": {compressed("b.com\n"+strings.Repeat("#", 1<<20), whole), fetch.FailureSize, "too large: more than 1000 bytes"},
		"breaks off":                 {broken("b.com\n", 0), fetch.FailureBroken, "the file broke off, or is damaged"},
		"breaks off before its end":  {broken("b.com\n", 7), fetch.FailureBroken, "the file broke off, or is damaged"},
		"compressed, breaks off":     {compressed("b.com\n", func(b []byte) []byte { return b[:len(b)-1] }), fetch.FailureBroken, "the file broke off, or is damaged"},
		"compressed, damaged":        {compressed("b.com\n", func(b []byte) []byte { b[len(b)-8] ^= 1; return b }), fetch.FailureBroken, "the file broke off, or is damaged"},
		"compressed, no gzip at all": {compressed("b.com\n", func([]byte) []byte { return []byte("b.com\n") }), fetch.FailureBroken, "the file broke off, or is damaged"},
		"compressed in another way": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "br")
			file("b.com\n")(w, r)
		}, fetch.FailureEncoding, "unknown content encoding"},
		"no answer": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, fetch.FailureConnection, "no connection"},
		"a large header": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("A", strings.Repeat("a", 65<<10))
		}, fetch.FailureConnection, "no connection"},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, true)
			s := newSite(t, c.answer)
			f.add(s.URL)
			f.syncByHand("a.com\n")
			err := f.fetchDue(f.fetcher(fetch.Options{MaxBytes: limit}))
			f.failed(err, c.failure, c.text)
		})
	}
}

// failed requires that a fetch has failed like that.
func (f *fixture) failed(err error, failure fetch.Failure, text string) {
	f.t.Helper()
	var failed *fetch.Error
	require.ErrorAs(f.t, err, &failed)
	require.Equal(f.t, failure, failed.Failure)
	require.EqualError(f.t, err, text)
	list := f.get()
	require.Equal(f.t, text, list.Error)
	require.Equal(f.t, 1, list.Failures)
	require.Equal(f.t, f.clock(), list.FailedAt)
	require.Equal(f.t, f.clock().Add(time.Hour), list.NextAt)
	require.Equal(f.t, []string{"a.com"}, f.holds())
	require.NotContains(f.t, list.Error, "hunter2")
}

// A redirection that does not end is followed a few times.
func TestFetcher_redirectionLoop(t *testing.T) {
	t.Parallel()
	f := newFixture(t, true)
	s := newSite(t, redirect("/again"))
	f.add(s.URL)
	_, err := f.fetcher(fetch.Options{}).FetchNow(t.Context(), lists.SyncRequest{Name: "phantom"})
	require.EqualError(t, err, "more than 5 redirections")
	require.Len(t, s.asked(), 6)
}

// A server that sends something again and again keeps no fetcher.
func TestFetcher_timeout(t *testing.T) {
	t.Parallel()
	for reason, answer := range map[string]http.HandlerFunc{
		"endless":                      endless,
		"nothing":                      stalled("", ""),
		"nothing after the first byte": stalled("#", ""),
		"nothing after half of it":     stalled("b.com\n", "12"),
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, true)
			f.add(newSite(t, answer).URL)
			f.syncByHand("a.com\n")
			err := f.fetchDue(f.fetcher(fetch.Options{Timeout: 100 * time.Millisecond}))
			f.failed(err, fetch.FailureTimeout, "timed out: more than 100ms")
		})
	}
}

// What is not a list, or another one than before, changes nothing either.
func TestFetcher_files(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		before, file string
		want         error
	}{
		"a page":                    {"a.com\n", "<!doctype html><html>Sign in</html>", lists.ErrMarkup},
		"a page of JSON":            {"a.com\n", "{\n\"error\":\n\"rate limit\"\n}\n", lists.ErrMostlyRefused},
		"an empty file":             {"a.com\n", "", lists.ErrUnconfirmed},
		"another list than before":  {hosts(1, 200), hosts(1000, 1200), lists.ErrUnconfirmed},
		"many more than there were": {"a.com\n", hosts(1, 10_002), lists.ErrUnconfirmed},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, true)
			f.add(newSite(t, file(c.file)).URL)
			f.syncByHand(c.before)
			held := f.holds()
			fetcher := f.fetcher(fetch.Options{})
			for failures, wait := range []time.Duration{time.Hour, 2 * time.Hour, 4 * time.Hour} {
				f.pass(f.get().NextAt.Sub(f.clock()) - time.Millisecond)
				require.Empty(t, f.round(fetcher), "it is not due")
				f.pass(time.Millisecond)
				events := f.round(fetcher)
				require.Len(t, events, 1)
				require.Equal(t, fetch.EventFailed, events[0].Kind)
				require.Equal(t, "phantom", events[0].List)
				require.ErrorIs(t, events[0].Err, c.want)
				list := f.get()
				require.Equal(t, events[0].Err.Error(), list.Error)
				require.Equal(t, failures+1, list.Failures)
				require.Equal(t, f.clock().Add(wait), list.NextAt)
				require.Equal(t, held, f.holds())
			}
			_, err := fetcher.FetchNow(t.Context(), lists.SyncRequest{Name: "phantom", Confirm: true})
			if errors.Is(c.want, lists.ErrUnconfirmed) {
				require.NoError(t, err)
				require.Zero(t, f.get().Failures)
				require.NotEqual(t, held, f.holds())
			} else {
				require.ErrorIs(t, err, c.want)
			}
		})
	}
}

func TestFetcher_connections(t *testing.T) {
	t.Parallel()
	encrypted := httptest.NewUnstartedServer(file("b.com\n"))
	encrypted.Config.ErrorLog = log.New(io.Discard, "", 0) // refused handshakes
	encrypted.StartTLS()
	t.Cleanup(encrypted.Close)
	plain, closed := newSite(t, file("b.com\n")), newSite(t, nil)
	closed.Close()
	for reason, c := range map[string]struct {
		url     string
		failure fetch.Failure
		text    string
	}{
		"nobody listens":      {closed.URL, fetch.FailureConnection, "no connection: connection refused"},
		"no TLS":              {strings.Replace(plain.URL, "http", "https", 1), fetch.FailureTLS, "no secure connection: the server does not speak TLS"},
		"unknown certificate": {encrypted.URL, fetch.FailureTLS, "no secure connection: certificate of an unknown authority"},
	} {
		f := newFixture(t, true)
		f.add(c.url)
		f.syncByHand("a.com\n")
		err := f.fetchDue(f.fetcher(fetch.Options{}))
		t.Log(reason)
		f.failed(err, c.failure, c.text)
	}
	require.Empty(t, plain.asked())
}

// No file is left on the disk, whatever happens.
func TestFetcher_temporaryFiles(t *testing.T) { //nolint:paralleltest // it changes the environment of the process
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	for reason, answer := range map[string]http.HandlerFunc{
		"a list":     file("a.com\n"),
		"no list":    file(""),
		"breaks off": broken("a.com\n", 0),
		"too large":  file(hosts(1, 1000)),
	} {
		f := newFixture(t, true)
		f.add(newSite(t, answer).URL)
		_, err := f.fetcher(fetch.Options{MaxBytes: 1000}).FetchNow(t.Context(), lists.SyncRequest{Name: "phantom"})
		require.Equal(t, reason == "a list", err == nil, reason)
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Empty(t, left, reason)
	}
	f := newFixture(t, true)
	f.add(newSite(t, file("a.com\n")).URL)
	require.NoError(t, os.Remove(dir))
	_, err := f.fetcher(fetch.Options{}).FetchNow(t.Context(), lists.SyncRequest{Name: "phantom"})
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, err, "temporary file: ")
	require.NoError(t, os.Mkdir(dir, 0o700))
}

// What is interrupted is no failure.
func TestFetcher_canceled(t *testing.T) {
	t.Parallel()
	f := newFixture(t, true)
	ctx, cancel := context.WithCancel(t.Context())
	f.add(newSite(t, func(_ http.ResponseWriter, r *http.Request) { cancel(); <-r.Context().Done() }).URL)
	_, err := f.fetcher(fetch.Options{}).FetchNow(ctx, lists.SyncRequest{Name: "phantom"})
	require.Equal(t, context.Canceled, err)
	require.Zero(t, f.get().Failures)
	require.Empty(t, f.get().Error)
}
