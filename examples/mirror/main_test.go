package main

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/asset/mirror"
	"github.com/apguard/apguard/storage/sqlite"
)

// get returns the status and the body of a reply.
func get(t *testing.T, address string) (code int, body string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, strings.TrimSpace(string(content))
}

// Another program blocks and unblocks, and the mirror answers.
func TestRun(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "assets.db")
	store, err := sqlite.Open(t.Context(), db, sqlite.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	guard := apguard.New(store, apguard.Options{})
	set := func(content string, status asset.Status) {
		_, err := guard.SetStatus(t.Context(), content, status, asset.Origin{})
		require.NoError(t, err)
	}
	set("bad.example.com", asset.StatusBlocked)

	ctx, stop := context.WithCancel(t.Context())
	reader, log := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- run(ctx, []string{"-addr", "127.0.0.1:0", "-db", db}, log)
		_ = log.Close()
	}()
	lines := bufio.NewScanner(reader)
	require.True(t, lines.Scan())
	_, address, found := strings.Cut(lines.Text(), "address=")
	require.True(t, found, lines.Text())
	require.True(t, lines.Scan())
	require.Contains(t, lines.Text(), "the mirror is filled")
	go func() { _, _ = io.Copy(io.Discard, reader) }()

	check := func(content string) (int, string) {
		return get(t, "http://"+address+"/check?content="+url.QueryEscape(content))
	}
	code, body := check("https://login.bad.example.com/x?y")
	require.Equal(t, http.StatusOK, code)
	require.JSONEq(t, `{"content":"https://login.bad.example.com/x?y","status":"BLOCKED",
		"by":{"kind":"DOMAIN","type":"PAGE","content":"bad.example.com"}}`, body)
	code, body = check("https://good.example.com")
	require.Equal(t, http.StatusOK, code)
	require.JSONEq(t, `{"content":"https://good.example.com","status":"UNKNOWN","by":null}`, body)
	code, body = check("no asset")
	require.Equal(t, http.StatusBadRequest, code)
	require.Contains(t, body, "inner white space")

	set("bad.example.com", asset.StatusUnknown)
	require.Eventually(t, func() bool {
		_, body := check("https://bad.example.com")
		return strings.Contains(body, `"UNKNOWN"`)
	}, time.Minute, 10*time.Millisecond, "the mirror follows")
	code, body = get(t, "http://"+address+"/health")
	require.Equal(t, http.StatusOK, code)
	require.Contains(t, body, `{"filled":true,"assets":0,"ageSeconds":`)

	stop()
	require.NoError(t, <-ended)
}

func TestHandler_notFilled(t *testing.T) {
	t.Parallel()
	handler := newHandler(new(mirror.Mirror))
	reply := httptest.NewRecorder()
	handler.ServeHTTP(reply, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/check?content=example.com", nil))
	require.Equal(t, http.StatusServiceUnavailable, reply.Code)
	require.Equal(t, mirror.ErrNotFilled.Error()+"\n", reply.Body.String())

	reply = httptest.NewRecorder()
	handler.ServeHTTP(reply, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/health", nil))
	require.Equal(t, http.StatusServiceUnavailable, reply.Code)
	require.JSONEq(t, `{"filled":false,"assets":0}`, reply.Body.String())
}

func TestRun_errors(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "assets.db")
	taken, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	for reason, args := range map[string][]string{
		"unknown flag":     {"-port", "80"},
		"no such database": {"-db", filepath.Join(t.TempDir(), "no", "such.db")},
		"taken address":    {"-db", db, "-addr", taken.Addr().String()},
		"unreachable":      {"-db", "postgres://ada@127.0.0.1:1/x?sslmode=disable"},
	} {
		require.Error(t, run(t.Context(), args, io.Discard), reason)
	}
}
