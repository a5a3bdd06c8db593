package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/storage/memory"
)

func TestProbes_OutsideOfBase(t *testing.T) {
	t.Parallel()
	for _, base := range []string{"/api/v2", "/", "/livez/v2", "/ready"} {
		s := startDemo(t, noVariables, "-db", "memory", "-base", base)
		root := strings.TrimSuffix(s.url, strings.TrimSuffix(base, "/"))
		for path, word := range map[string]string{"/livez": "alive\n", "/readyz": "ready\n"} {
			status, header, body := send(t, http.MethodGet, root, "", call{path: path})
			require.Equal(t, http.StatusOK, status, base+" "+path)
			require.Equal(t, word, body)
			require.Equal(t, "text/plain; charset=utf-8", header.Get("Content-Type"))
			require.Equal(t, "no-store", header.Get("Cache-Control"))
			status, _, _ = send(t, http.MethodHead, root, "", call{path: path})
			require.Equal(t, http.StatusOK, status, base+" "+path)
			status, _, _ = send(t, http.MethodPost, root, "", call{path: path})
			require.Equal(t, http.StatusNotFound, status, "another method")
		}
		key := keyOf(t, s)
		status, body := request(t, s.url, key, call{path: "/asset/changelog", body: `{}`})
		require.Equal(t, http.StatusOK, status, body)
	}
}

// A server that still runs when a newer program has reclassified its database is not ready, and its log says why.
func TestProbes_Reclassified(t *testing.T) {
	t.Parallel()
	db := newDatabase(t)
	s := start(t, "-db", db)
	root := strings.TrimSuffix(s.url, defaultBase)
	status, body := request(t, root, "", call{path: readyPath})
	require.Equal(t, http.StatusOK, status, body)

	pool, err := openFilePool(db)
	require.NoError(t, err)
	_, err = pool.ExecContext(t.Context(), fmt.Sprint("UPDATE apguard_rules SET version = ", classify.Version+1))
	require.NoError(t, errors.Join(err, pool.Close()))
	status, body = request(t, root, "", call{path: readyPath})
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.Equal(t, "not ready\n", body)
	require.Contains(t, s.logged(), fmt.Sprintf("database has rules version %d, this program has %d: use a newer program", classify.Version+1, classify.Version))
}

// All probes that wait at the same time share one call of the store.
func TestProbes_ReadyTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var pings atomic.Int64
		mux := http.NewServeMux()
		probes{ping: func(context.Context) error {
			pings.Add(1)
			time.Sleep(time.Second)
			return nil
		}, timeout: time.Minute}.mount(mux)
		var group sync.WaitGroup
		for range 100 {
			group.Go(func() {
				got := httptest.NewRecorder()
				mux.ServeHTTP(got, httptest.NewRequestWithContext(t.Context(), http.MethodGet, readyPath, nil))
				require.Equal(t, http.StatusOK, got.Code)
			})
		}
		group.Wait()
		require.Equal(t, int64(1), pings.Load())
	})
}

func TestProbes_Ready(t *testing.T) {
	t.Parallel()
	running, stopped := make(chan struct{}), make(chan struct{})
	close(stopped)
	answers := func(context.Context) error { return nil }
	for reason, c := range map[string]struct {
		probes     probes
		halfClosed bool
		status     int
		body, log  string
	}{
		"the store answers": {
			probes: probes{ping: answers, timeout: time.Minute, stopping: running},
			status: http.StatusOK, body: "ready\n",
		},
		"the store fails": {
			probes: probes{ping: func(context.Context) error { return errors.New("10.0.0.7 is down") }, timeout: time.Minute, stopping: running},
			status: http.StatusServiceUnavailable, body: "not ready\n", log: "10.0.0.7 is down",
		},
		"the store is too slow": {
			probes: probes{ping: untilCanceled, timeout: time.Nanosecond, stopping: running},
			status: http.StatusServiceUnavailable, body: "not ready\n", log: context.DeadlineExceeded.Error(),
		},
		"the client has closed its half": {
			probes: probes{ping: context.Context.Err, timeout: time.Minute, stopping: running}, halfClosed: true,
			status: http.StatusOK, body: "ready\n",
		},
		"the server is stopping": {
			probes: probes{ping: answers, timeout: time.Minute, stopping: stopped},
			status: http.StatusServiceUnavailable, body: "stopping\n",
		},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			c.probes.logger = slog.New(slog.NewTextHandler(&log, nil))
			mux := http.NewServeMux()
			c.probes.mount(mux)
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			if c.halfClosed {
				leave()
			}
			recorder := httptest.NewRecorder()
			mux.ServeHTTP(recorder, httptest.NewRequestWithContext(ctx, http.MethodGet, "/readyz", nil))
			require.Equal(t, c.status, recorder.Code)
			require.Equal(t, c.body, recorder.Body.String())
			if c.log == "" {
				require.Empty(t, log.String())
			} else {
				require.Contains(t, log.String(), c.log)
				require.Equal(t, 1, strings.Count(log.String(), "\n"))
			}
		})
	}
}

// untilCanceled is the ping of a store that does not answer.
func untilCanceled(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

func TestProbes_CloseConnections(t *testing.T) {
	t.Parallel()
	guard := apguard.New(memory.New(), apguard.Options{})
	stopping := make(chan struct{})
	handler, err := newHandler(guard, "/api/v2", httpapi.Options{}, probes{
		ping: guard.Ready, timeout: time.Minute, stopping: stopping, logger: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	ask := func(path, want string) {
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		require.Equal(t, want, recorder.Header().Get("Connection"), path)
	}
	for _, path := range []string{livePath, readyPath, "/api/v2/openapi.json", "/elsewhere"} {
		ask(path, "")
	}
	close(stopping)
	for _, path := range []string{livePath, readyPath, "/api/v2/openapi.json", "/elsewhere"} {
		ask(path, "close")
	}
}
