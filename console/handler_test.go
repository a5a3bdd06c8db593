package console

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// ask returns the reply of a handler.
func ask(t *testing.T, handler http.Handler, method, path string, header map[string]string) *httptest.ResponseRecorder {
	t.Helper()
	request := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader("{}"))
	for name, value := range header {
		request.Header.Set(name, value)
	}
	response := httptest.NewRecorder()
	handler.ServeHTTP(response, request)
	return response
}

func TestNewHandler(t *testing.T) {
	t.Parallel()
	handler, err := NewHandler(Site{
		"index.html":  []byte(strings.Repeat("page ", 100)),
		"config.json": []byte(`{"api":"/api/v2","operatorApi":"https://desk.example/operator"}`),
	})
	require.NoError(t, err)
	plain := ask(t, handler, http.MethodGet, "/", nil)
	require.Equal(t, strings.Repeat("page ", 100), plain.Body.String())
	require.Equal(t, "text/html; charset=utf-8", plain.Header().Get("Content-Type"))
	policy := plain.Header().Get("Content-Security-Policy")
	for _, part := range []string{"default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'", "connect-src 'self' https://desk.example;", "require-trusted-types-for 'script'", "frame-ancestors 'none'"} {
		require.Contains(t, policy, part)
	}
	require.Equal(t, "nosniff", plain.Header().Get("X-Content-Type-Options"))

	compressed := ask(t, handler, http.MethodGet, "/index.html", map[string]string{"Accept-Encoding": "br, gzip"})
	require.Equal(t, "gzip", compressed.Header().Get("Content-Encoding"))
	reader, err := gzip.NewReader(compressed.Body)
	require.NoError(t, err)
	content, err := io.ReadAll(reader)
	require.NoError(t, err)
	require.Equal(t, plain.Body.Bytes(), content)

	require.Equal(t, http.StatusNotModified, ask(t, handler, http.MethodGet, "/", map[string]string{"If-None-Match": plain.Header().Get("ETag")}).Code)
	require.Equal(t, http.StatusNotFound, ask(t, handler, http.MethodGet, "/console.go", nil).Code)
	require.NotEqual(t, http.StatusOK, ask(t, handler, http.MethodGet, "/../console.go", nil).Code)
	require.Equal(t, http.StatusMethodNotAllowed, ask(t, handler, http.MethodPost, "/", nil).Code)
}

func TestNewHandler_Refuses(t *testing.T) {
	t.Parallel()
	for reason, site := range map[string]Site{
		"the zero site":        nil,
		"no addresses":         {"index.html": nil},
		"malformed addresses":  {"config.json": []byte("{")},
		"zero addresses":       {"config.json": []byte("{}")},
		"an address of a file": {"config.json": []byte(`{"api":"/api/v2","operatorApi":"file:///operator"}`)},
	} {
		_, err := NewHandler(site)
		require.Error(t, err, reason)
	}
}
