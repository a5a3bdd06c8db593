package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/storage/memory"
)

func newGuard() *apguard.Guard { return apguard.New(memory.New(), apguard.Options{}) }

// fromOrigin sends a request of a page of the origin.
func fromOrigin(t *testing.T, handler http.Handler, method, path, origin string, header http.Header) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(`{"content":"https://a.example"}`))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Origin", origin)
	for name, values := range header {
		r.Header[name] = values
	}
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, r)
	return recorder
}

// preflight asks whether a page of the origin may call the operation.
func preflight(t *testing.T, handler http.Handler, path, origin string) *httptest.ResponseRecorder {
	t.Helper()
	return fromOrigin(t, handler, http.MethodOptions, path, origin, http.Header{
		"Access-Control-Request-Method":  {http.MethodPost},
		"Access-Control-Request-Headers": {"content-type,x-api-key"},
	})
}

func TestAPI_AllowedOrigins(t *testing.T) {
	t.Parallel()
	api := newAPI(t, fullAccess(), httpapi.Options{AllowedOrigins: []string{"https://wallet.example", "http://localhost:5173"}})
	mux := http.NewServeMux()
	api.Mount(mux, "/api/v2")
	for origin, allowed := range map[string]bool{
		"https://wallet.example":          true,
		"http://localhost:5173":           true,
		"http://wallet.example":           false,
		"https://wallet.example:8443":     false,
		"https://wallet.example.evil.com": false,
		"https://evil-wallet.example":     false,
		"https://sub.wallet.example":      false,
		"https://wallet.example@evil.com": false,
		"http://localhost":                false,
		"http://localhost:51730":          false,
		"null":                            false,
		"*":                               false,
	} {
		want := ""
		if allowed {
			want = origin
		}
		asked := preflight(t, mux, "/api/v2/asset/check", origin)
		require.Equal(t, want, asked.Header().Get("Access-Control-Allow-Origin"), "preflight of %s", origin)
		require.Contains(t, asked.Header().Values("Vary"), "Origin, Access-Control-Request-Method, Access-Control-Request-Headers")
		called := fromOrigin(t, mux, http.MethodPost, "/api/v2/asset/check", origin, nil)
		require.Equal(t, http.StatusOK, called.Code, "another program may call it anyway")
		require.Equal(t, want, called.Header().Get("Access-Control-Allow-Origin"), "call of %s", origin)
		require.Contains(t, called.Header().Values("Vary"), "Origin")
		require.Empty(t, called.Header().Get("Access-Control-Allow-Credentials"))
	}
	asked := preflight(t, mux, "/api/v2/asset/check", "https://wallet.example")
	require.Equal(t, http.StatusNoContent, asked.Code)
	require.Equal(t, "POST", asked.Header().Get("Access-Control-Allow-Methods"))
	require.Equal(t, "content-type,x-api-key", asked.Header().Get("Access-Control-Allow-Headers"))
	require.Equal(t, "600", asked.Header().Get("Access-Control-Max-Age"))
}

// A page reads errors too, and the headers that it needs.
func TestAPI_AllowedOrigins_errors(t *testing.T) {
	t.Parallel()
	const wallet = "https://wallet.example"
	s := startWith(t, setup{hashes: true, options: httpapi.Options{AllowedOrigins: []string{wallet}}})
	get := func(key, tag string) response {
		r := newGet(hashesPath, key)
		r.Header.Set("Origin", wallet)
		r.Header.Set("If-None-Match", tag)
		return s.do(r)
	}
	early := get(looseKey, "")
	require.NoError(t, s.replica.Refresh(t.Context()))
	found := get(looseKey, "")
	responses := []response{early, get("", ""), get(powerlessKey, ""), found, get(looseKey, found.Header.Get("ETag"))}
	for i, status := range []int{
		http.StatusServiceUnavailable, http.StatusUnauthorized, http.StatusForbidden, http.StatusOK, http.StatusNotModified,
	} {
		header := responses[i].Header
		require.Equal(t, status, responses[i].Status)
		require.Equal(t, wallet, header.Get("Access-Control-Allow-Origin"), status)
		require.Contains(t, header.Values("Vary"), "Origin", status)
		for _, name := range []string{"Age", "Etag", "Retry-After"} {
			require.Contains(t, header.Get("Access-Control-Expose-Headers"), name, status)
		}
	}
}

func TestAPI_AllowedOrigins_Operations(t *testing.T) {
	t.Parallel()
	const origin = "https://wallet.example"
	allowing := newAPI(t, fullAccess(), httpapi.Options{AllowedOrigins: []string{origin}})
	none := newAPI(t, fullAccess(), httpapi.Options{})
	operators, err := httpapi.NewOperator(newGuard(), fullAccess(), httpapi.Options{AllowedOrigins: []string{origin}})
	require.NoError(t, err)
	forBrowsers := map[string]bool{"/asset/check": true, "/asset/check/batch": true, "/asset/hashes": true}
	options := 0
	for _, route := range allowing.Routes() {
		if route.Method == http.MethodOptions {
			require.True(t, forBrowsers[route.Path], route.Path)
			options++
			continue
		}
		got := fromOrigin(t, allowing, route.Method, route.Path, origin, nil).Header().Get("Access-Control-Allow-Origin")
		require.Equal(t, forBrowsers[route.Path], got == origin, route.Path)
	}
	require.Len(t, forBrowsers, options)
	for _, api := range []*httpapi.API{none, operators} {
		for _, route := range api.Routes() {
			require.NotEqual(t, http.MethodOptions, route.Method)
			require.Equal(t, http.StatusMethodNotAllowed, preflight(t, api, route.Path, origin).Code)
			require.Empty(t, fromOrigin(t, api, route.Method, route.Path, origin, nil).Header().Get("Access-Control-Allow-Origin"))
		}
	}
}

func TestNew_InvalidAllowedOrigins(t *testing.T) {
	t.Parallel()
	for _, origin := range []string{
		"", "*", "null", "wallet.example", "https://", "https://*.example", "https://wallet.example/", "https://wallet.example/x",
		"https://wallet.example?x", "https://wallet.example#x", "https://ada@wallet.example", "HTTPS://wallet.example",
		"https://Wallet.example", "https://wallet.example:443", "http://wallet.example:80", "https://wallet.example, https://b.example",
		"https://b\u00fccher.example", "https://wallet.example:", "https://wallet.example:port",
	} {
		_, err := httpapi.New(newGuard(), fullAccess(), httpapi.Options{AllowedOrigins: []string{"https://a.example", origin}})
		require.ErrorIs(t, err, httpapi.ErrOptions, origin)
	}
	for _, origin := range []string{"https://wallet.example", "https://xn--bcher-kva.example:8443", "http://127.0.0.1:8080", "http://[::1]:8080", "chrome-extension://id"} {
		_, err := httpapi.New(newGuard(), fullAccess(), httpapi.Options{AllowedOrigins: []string{origin}})
		require.NoError(t, err, origin)
	}
}
