package httpapi_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/storage"
)

const syncPath = operatorBase + "/list/sync?name=a"

// The content type of a file does not matter, but it must not be compressed.
func TestFile_ContentType(t *testing.T) {
	t.Parallel()
	s := startOperator(t)
	s.addList()
	for _, types := range [][]string{nil, {""}, {"text/plain"}, {"text/csv; charset=utf-8"}, {"application/json"}, {"not a type", "text/plain"}} {
		r := newPost(syncPath, operatorKey, strings.NewReader("bad.example.com\n"))
		r.Header["Content-Type"] = types
		require.Equal(t, http.StatusOK, s.do(r).Status, "%q", types)
	}
	r := newPost(syncPath, operatorKey, strings.NewReader("bad.example.com\n"))
	r.Header.Set("Content-Encoding", "gzip")
	requireError(t, s.do(r), "", http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE", "Content-Encoding must be identity")
}

// comments is a file of comments that never ends.
type comments struct{}

func (comments) Read(into []byte) (int, error) {
	for i := range into {
		into[i] = '#'
	}
	into[len(into)-1] = '\n'
	return len(into), nil
}

func TestFile_Limit(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	s := startOperator(t)
	s.addList()
	s.Handler = http.StripPrefix(operatorBase, s.api) // without conformance checks, which take long for long bodies
	post := func(body io.Reader, length int64) response {
		r := newPost(syncPath, operatorKey, body)
		r.ContentLength = length
		return s.do(r)
	}
	const entry = "bad.example.com\n"
	fits := func() io.Reader {
		return io.MultiReader(io.LimitReader(comments{}, httpapi.MaxFile-int64(len(entry))), strings.NewReader(entry))
	}
	for _, length := range []int64{httpapi.MaxFile, -1} {
		got := post(fits(), length)
		require.Equal(t, http.StatusOK, got.Status, "%d: %s", length, got.Body)
		got = post(io.MultiReader(fits(), strings.NewReader("\n")), length)
		requireError(t, got, "", http.StatusRequestEntityTooLarge, "PAYLOAD_TOO_LARGE", "Request body is too large")
	}
	limit, _ := servedToOperators().at("paths", "/list/sync", "post", "responses", "413").text("description")
	require.Equal(t, fmt.Sprintf("The body is larger than %d MiB.", httpapi.MaxFile>>20), limit)
	got := post(iotest.ErrReader(errors.New("was read")), httpapi.MaxFile+1)
	requireError(t, got, "", http.StatusRequestEntityTooLarge, "PAYLOAD_TOO_LARGE", "Request body is too large")
}

// However a request ends, no file is left. The environment is that of the process.
func TestFile_Removed(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	t.Setenv("TMP", folder)
	var during []string
	s := startOperatorWith(t, setup{wrap: func(store storage.Store) storage.Store {
		return decidingStore{store, func(context.Context) error {
			during, _ = filepath.Glob(filepath.Join(folder, "*"))
			return nil
		}}
	}})
	s.addList()
	for reason, c := range map[string]struct {
		body io.Reader
		want int
	}{
		"a sync":                       {strings.NewReader("bad.example.com\n"), http.StatusOK},
		"a file without entries":       {strings.NewReader(""), http.StatusConflict},
		"a file of another format":     {strings.NewReader("<html>\n"), http.StatusBadRequest},
		"a body that ends too early":   {io.MultiReader(strings.NewReader("bad."), iotest.ErrReader(io.ErrUnexpectedEOF)), http.StatusBadRequest},
		"a body that is sent too late": {iotest.ErrReader(os.ErrDeadlineExceeded), http.StatusBadRequest},
	} {
		require.Equal(t, c.want, s.do(newPost(syncPath, operatorKey, c.body)).Status, reason)
		left, err := os.ReadDir(folder)
		require.NoError(t, err)
		require.Empty(t, left, reason)
	}
	require.Len(t, during, 1)
	require.Empty(t, s.log.String())

	require.NoError(t, os.Remove(folder))
	got := s.do(newPost(syncPath, operatorKey, strings.NewReader("bad.example.com\n")))
	requireError(t, got, "", http.StatusInternalServerError, "INTERNAL_SERVER_ERROR", "Internal server error")
	require.Contains(t, s.log.String(), "no such file", "the log says why")
}

// A disk that is full is not the fault of the client.
func TestFile_DiskFull(t *testing.T) {
	t.Parallel()
	full := &os.PathError{Op: "write", Path: "apguard-1", Err: errDisk}
	require.Equal(t, full, httpapi.BodyError(full))
}

// A request takes room on a disk while its file is under way, so it is costly then.
func TestFile_Costly(t *testing.T) {
	t.Parallel()
	s := startOperatorWith(t, setup{options: httpapi.Options{MaxCostly: 4}})
	s.addList()
	reading, finish := make(chan struct{}), make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		s.do(newPost(syncPath, operatorKey, io.MultiReader(strings.NewReader("bad.example.com\n"), waitingReader{reading, finish})))
	})
	<-reading
	got := s.sync("a", "bad.example.com\n")
	require.Equal(t, http.StatusTooManyRequests, got.Status, "a caller has a quarter")
	close(finish)
	group.Wait()
	require.Equal(t, http.StatusOK, s.sync("a", "bad.example.com\n").Status)
}

// withComments returns the file with more than 100 bytes in each line.
func withComments(file string) string {
	return strings.ReplaceAll(file, "\n", " # "+strings.Repeat("x", 100)+"\n")
}

// A client that sends its file too slowly is refused, and one that is slow but steady is not. Its time is not
// that of the service.
func TestFile_SlowClients(t *testing.T) {
	t.Parallel()
	for reason, c := range map[string]struct {
		pause time.Duration
		want  int
	}{
		"nothing comes":                    {time.Hour, http.StatusBadRequest},
		"longer than the service may take": {httpapi.DefaultTimeout - time.Second, http.StatusOK},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := startOperatorWith(t, setup{options: httpapi.Options{MinClientRate: 1}})
				s.addList()
				file := withComments(domains(0, 6))
				client := servePipe(t, s)
				_, err := io.WriteString(client, head(syncPath, operatorKey)+fmt.Sprintf("Content-Length: %d\r\n\r\n", len(file)))
				require.NoError(t, err)
				over := make(chan struct{})
				defer close(over)
				go func() {
					for line := range strings.Lines(file) {
						select {
						case <-time.After(c.pause):
						case <-over:
							return
						}
						if _, err := io.WriteString(client, line); err != nil {
							return
						}
					}
				}()
				resp, err := http.ReadResponse(bufio.NewReader(client), nil)
				require.NoError(t, err)
				text, err := io.ReadAll(resp.Body)
				require.NoError(t, err)
				require.NoError(t, resp.Body.Close())
				require.Equal(t, c.want, resp.StatusCode, string(text))
				require.NoError(t, client.Close())
				time.Sleep(time.Minute) // package net/http keeps the connection for a while
			})
		})
	}
}

// decidingStore calls a function before each step of a sync.
type decidingStore struct {
	storage.Store
	before func(context.Context) error
}

func (s decidingStore) DecideEntries(ctx context.Context, cmd lists.DecideCommand) ([]asset.Asset, error) {
	return after(ctx, s.before, func() ([]asset.Asset, error) { return s.Store.DecideEntries(ctx, cmd) })
}

// A long file may take longer than the time of the service, if each part of it does not.
func TestFile_WorkTime(t *testing.T) {
	t.Parallel()
	const steps = 4
	file := withComments(domains(0, steps*asset.MaxItems))
	for step, want := range map[time.Duration]int{
		httpapi.DefaultTimeout / 2:           http.StatusOK,
		httpapi.DefaultTimeout + time.Second: http.StatusServiceUnavailable,
	} {
		synctest.Test(t, func(t *testing.T) {
			s := startOperatorWith(t, setup{wrap: func(store storage.Store) storage.Store {
				return decidingStore{store, func(ctx context.Context) error {
					time.Sleep(step)
					return ctx.Err()
				}}
			}})
			s.addList()
			began := time.Now()
			got := s.sync("a", file)
			require.Equal(t, want, got.Status, got.Body)
			require.Equal(t, want == http.StatusOK, time.Since(began) == steps*step)
		})
	}
}
