package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/internal/testsize"
	"github.com/apguard/apguard/storage/memory"
)

// send returns the reply of a handler.
func send(t *testing.T, handler http.Handler, method, path string, header map[string]string) *httptest.ResponseRecorder {
	t.Helper()
	request := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader("{}"))
	for name, value := range header {
		request.Header.Set(name, value)
	}
	response := httptest.NewRecorder()
	handler.ServeHTTP(response, request)
	return response
}

// newDemoHandler returns the handler of the command with a page of one file, and its keys.
func newDemoHandler(t *testing.T, origin string) (http.Handler, keys) {
	t.Helper()
	store := memory.New()
	require.NoError(t, fillDemo(t.Context(), store, time.Now()))
	require.NoError(t, fillDemo(t.Context(), store, time.Now()), "a store with records stays as it is")
	guard := apguard.New(store, apguard.Options{})
	secrets, err := createKeys(t.Context(), guard.Keys, time.Now())
	require.NoError(t, err)
	site := site{"index.html": []byte(strings.Repeat("page ", 100))}
	handler, err := newHandler(guard, site, addresses{API: publicBase, OperatorAPI: operatorBase}, origin, httpapi.Options{})
	require.NoError(t, err)
	return handler, secrets
}

func TestNewHandler(t *testing.T) {
	t.Parallel()
	handler, keys := newDemoHandler(t, "")
	changelog := send(t, handler, http.MethodPost, "/api/v2/asset/changelog", map[string]string{"X-API-Key": keys.organization, "Content-Type": "application/json"})
	require.Equal(t, http.StatusOK, changelog.Code)
	require.Greater(t, strings.Count(changelog.Body.String(), "assetId"), 100)

	disputes := send(t, handler, http.MethodGet, "/operator/dispute/list", map[string]string{"X-API-Key": keys.operator})
	var page struct{ Disputes []struct{ State string } }
	require.NoError(t, json.Unmarshal(disputes.Body.Bytes(), &page))
	states := make(map[string]int)
	for _, dispute := range page.Disputes {
		states[dispute.State]++
	}
	require.Equal(t, map[string]int{"OPEN": 4, "UNDER_REVIEW": 1, "REJECTED": 1}, states)

	// Neither key opens the other API.
	require.Equal(t, http.StatusForbidden, send(t, handler, http.MethodGet, "/operator/dispute/list", map[string]string{"X-API-Key": keys.organization}).Code)
	require.Equal(t, http.StatusUnauthorized, send(t, handler, http.MethodPost, "/api/v2/organization/assets", map[string]string{"X-API-Key": keys.operator}).Code,
		"the operator's key acts for no organization")
	listed := send(t, handler, http.MethodGet, "/operator/key/list", map[string]string{"X-API-Key": keys.operator})
	for _, state := range []string{"ACTIVE", "EXPIRED", "REVOKED"} {
		require.Contains(t, listed.Body.String(), state, "each list of keys has one")
	}
	require.Equal(t, http.StatusNotFound, send(t, handler, http.MethodGet, "/api/v2/nothing", nil).Code)
}

func TestFiles(t *testing.T) {
	t.Parallel()
	handler, _ := newDemoHandler(t, "")
	plain := send(t, handler, http.MethodGet, "/", nil)
	require.Equal(t, strings.Repeat("page ", 100), plain.Body.String())
	require.Equal(t, "text/html; charset=utf-8", plain.Header().Get("Content-Type"))
	policy := plain.Header().Get("Content-Security-Policy")
	for _, part := range []string{"default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'", "connect-src 'self';", "require-trusted-types-for 'script'", "frame-ancestors 'none'"} {
		require.Contains(t, policy, part)
	}
	require.Equal(t, "nosniff", plain.Header().Get("X-Content-Type-Options"))

	compressed := send(t, handler, http.MethodGet, "/index.html", map[string]string{"Accept-Encoding": "br, gzip"})
	require.Equal(t, "gzip", compressed.Header().Get("Content-Encoding"))
	reader, err := gzip.NewReader(compressed.Body)
	require.NoError(t, err)
	content, err := io.ReadAll(reader)
	require.NoError(t, err)
	require.Equal(t, plain.Body.Bytes(), content)

	require.Equal(t, http.StatusNotModified, send(t, handler, http.MethodGet, "/", map[string]string{"If-None-Match": plain.Header().Get("ETag")}).Code)
	missing := send(t, handler, http.MethodGet, "/../main.go", nil)
	require.Equal(t, http.StatusNotFound, send(t, handler, http.MethodGet, "/main.go", nil).Code)
	require.NotEqual(t, http.StatusOK, missing.Code)
	require.Equal(t, http.StatusMethodNotAllowed, send(t, handler, http.MethodPost, "/", nil).Code)
}

func TestAllowOrigin(t *testing.T) {
	t.Parallel()
	const origin = "https://console.example"
	handler, keys := newDemoHandler(t, origin)
	preflight := map[string]string{"Origin": origin, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type,idempotency-key,x-api-key"}
	allowed := send(t, handler, http.MethodOptions, "/api/v2/organization/assets", preflight)
	require.Equal(t, http.StatusNoContent, allowed.Code)
	require.Equal(t, origin, allowed.Header().Get("Access-Control-Allow-Origin"))
	require.Equal(t, "Content-Type, Idempotency-Key, X-API-Key", allowed.Header().Get("Access-Control-Allow-Headers"))
	require.Empty(t, allowed.Header().Get("Access-Control-Allow-Credentials"))

	listed := send(t, handler, http.MethodGet, "/operator/dispute/list", map[string]string{"Origin": origin, "X-API-Key": keys.operator})
	require.Equal(t, http.StatusOK, listed.Code)
	require.Equal(t, origin, listed.Header().Get("Access-Control-Allow-Origin"))

	preflight["Origin"] = "https://evil.example"
	refused := send(t, handler, http.MethodOptions, "/api/v2/organization/assets", preflight)
	require.Equal(t, http.StatusMethodNotAllowed, refused.Code)
	require.Empty(t, refused.Header().Get("Access-Control-Allow-Origin"))
	require.Empty(t, send(t, handler, http.MethodGet, "/", map[string]string{"Origin": origin}).Header().Get("Access-Control-Allow-Origin"), "the page itself")
}

func TestRunBuild(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t) // it builds the WebAssembly
	dir := filepath.Join(t.TempDir(), "site")
	var stdout bytes.Buffer
	require.NoError(t, run(t.Context(), []string{"build", "-o", dir, "-api", "https://api.example/api/v2"}, &stdout, io.Discard))
	wasm, err := os.ReadFile(filepath.Join(dir, "rules.wasm"))
	require.NoError(t, err)
	require.Equal(t, "\x00asm", string(wasm[:4]))
	index, err := os.ReadFile(filepath.Join(dir, "index.html"))
	require.NoError(t, err)
	require.Contains(t, string(index), "connect-src 'self' https://api.example;")
	require.NotContains(t, string(index), "{{")
	config, err := os.ReadFile(filepath.Join(dir, "config.json"))
	require.NoError(t, err)
	require.JSONEq(t, `{"api":"https://api.example/api/v2","operatorApi":"/operator","keysInLink":false}`, string(config))
	for _, name := range []string{"wasm_exec.js", "rules-worker.js", "rules-remote.js", "rules.js", "app.js", "views/check.js", "style/base.css"} {
		require.FileExists(t, filepath.Join(dir, name))
	}
	require.NoFileExists(t, filepath.Join(dir, "tsconfig.json"))
}

func TestRun_Refuses(t *testing.T) {
	t.Parallel()
	for want, args := range map[string][]string{
		"-o is required":             {"build"},
		`unexpected argument "x"`:    {"build", "x"},
		"must be a path":             {"build", "-o", t.TempDir(), "-api", "javascript:alert(1)"},
		"is not a loopback address":  {"-addr", "0.0.0.0:0"},
		"without a user":             {"build", "-o", t.TempDir(), "-api", "https://a@api.example"},
		"missing port in address":    {"-addr", "127.0.0.1"},
		"flag provided but not defi": {"-nothing"},
	} {
		require.ErrorContains(t, run(t.Context(), args, io.Discard, io.Discard), want)
	}
}

func TestCreateKeys_Expire(t *testing.T) {
	t.Parallel()
	store := memory.New()
	now := time.Now()
	require.NoError(t, fillDemo(t.Context(), store, now))
	clock := now
	service := account.NewKeyService(store, account.KeyOptions{Clock: func() time.Time { return clock }})
	keys, err := createKeys(t.Context(), service, now)
	require.NoError(t, err)
	_, err = service.Authenticate(t.Context(), keys.operator)
	require.NoError(t, err)
	clock = now.Add(keyLifetime)
	_, err = service.Authenticate(t.Context(), keys.operator)
	require.ErrorAs(t, err, new(*account.KeyError))
}
