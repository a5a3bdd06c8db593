package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/console"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/storage/memory"
)

// onePage returns a site with nothing but a document and the addresses of the command.
func onePage() console.Site {
	return console.Site{
		"index.html":  []byte("page"),
		"config.json": []byte(`{"api":"/api/v2","operatorApi":"/operator"}`),
	}
}

// askConsole returns the reply of a handler.
func askConsole(t *testing.T, handler http.Handler, method, path string, header map[string]string) *httptest.ResponseRecorder {
	t.Helper()
	request := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader("{}"))
	for name, value := range header {
		request.Header.Set(name, value)
	}
	response := httptest.NewRecorder()
	handler.ServeHTTP(response, request)
	return response
}

// filledConsole returns the handler of the command with a site of one page, and its keys.
func filledConsole(t *testing.T, origin string) (http.Handler, consoleKeys) {
	t.Helper()
	store := memory.New()
	require.NoError(t, fillConsole(t.Context(), store, time.Now()))
	require.NoError(t, fillConsole(t.Context(), store, time.Now()), "a store with records stays as it is")
	guard := apguard.New(store, apguard.Options{})
	keys, err := createConsoleKeys(t.Context(), guard.Keys, time.Now())
	require.NoError(t, err)
	handler, err := newConsoleHandler(guard, consoleSite{page: onePage(), allowedOrigin: origin}, httpapi.Options{})
	require.NoError(t, err)
	return handler, keys
}

func TestNewConsoleHandler(t *testing.T) {
	t.Parallel()
	handler, keys := filledConsole(t, "")
	page := askConsole(t, handler, http.MethodGet, "/", nil)
	require.Equal(t, "page", page.Body.String())
	require.Contains(t, page.Header().Get("Content-Security-Policy"), "connect-src 'self';")

	changelog := askConsole(t, handler, http.MethodPost, "/api/v2/asset/changelog", map[string]string{"X-API-Key": keys.organization, "Content-Type": "application/json"})
	require.Equal(t, http.StatusOK, changelog.Code)
	require.Greater(t, strings.Count(changelog.Body.String(), "assetId"), 100)

	disputes := askConsole(t, handler, http.MethodGet, "/operator/dispute/list", map[string]string{"X-API-Key": keys.operator})
	var reply struct{ Disputes []struct{ State string } }
	require.NoError(t, json.Unmarshal(disputes.Body.Bytes(), &reply))
	states := make(map[string]int)
	for _, dispute := range reply.Disputes {
		states[dispute.State]++
	}
	require.Equal(t, map[string]int{"OPEN": 4, "UNDER_REVIEW": 1, "REJECTED": 1}, states)

	// Neither key opens the other API.
	require.Equal(t, http.StatusForbidden, askConsole(t, handler, http.MethodGet, "/operator/dispute/list", map[string]string{"X-API-Key": keys.organization}).Code)
	require.Equal(t, http.StatusUnauthorized, askConsole(t, handler, http.MethodPost, "/api/v2/organization/assets", map[string]string{"X-API-Key": keys.operator}).Code,
		"the operator's key acts for no organization")
	listed := askConsole(t, handler, http.MethodGet, "/operator/key/list", map[string]string{"X-API-Key": keys.operator})
	for _, state := range []string{"ACTIVE", "EXPIRED", "REVOKED"} {
		require.Contains(t, listed.Body.String(), state, "each list of keys has one")
	}
	require.Equal(t, http.StatusNotFound, askConsole(t, handler, http.MethodGet, "/api/v2/nothing", nil).Code)
}

func TestConsole_AllowOrigin(t *testing.T) {
	t.Parallel()
	const origin = "https://console.example"
	handler, keys := filledConsole(t, origin)
	preflight := map[string]string{"Origin": origin, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type,idempotency-key,x-api-key"}
	allowed := askConsole(t, handler, http.MethodOptions, "/api/v2/organization/assets", preflight)
	require.Equal(t, http.StatusNoContent, allowed.Code)
	require.Equal(t, origin, allowed.Header().Get("Access-Control-Allow-Origin"))
	require.Equal(t, "Content-Type, Idempotency-Key, X-API-Key", allowed.Header().Get("Access-Control-Allow-Headers"))
	require.Empty(t, allowed.Header().Get("Access-Control-Allow-Credentials"))

	listed := askConsole(t, handler, http.MethodGet, "/operator/dispute/list", map[string]string{"Origin": origin, "X-API-Key": keys.operator})
	require.Equal(t, http.StatusOK, listed.Code)
	require.Equal(t, origin, listed.Header().Get("Access-Control-Allow-Origin"))

	preflight["Origin"] = "https://evil.example"
	refused := askConsole(t, handler, http.MethodOptions, "/api/v2/organization/assets", preflight)
	require.Equal(t, http.StatusMethodNotAllowed, refused.Code)
	require.Empty(t, refused.Header().Get("Access-Control-Allow-Origin"))
	require.Empty(t, askConsole(t, handler, http.MethodGet, "/", map[string]string{"Origin": origin}).Header().Get("Access-Control-Allow-Origin"), "the page itself")
}

func TestCreateConsoleKeys_Expire(t *testing.T) {
	t.Parallel()
	store := memory.New()
	now := time.Now()
	require.NoError(t, fillConsole(t.Context(), store, now))
	clock := now
	service := account.NewKeyService(store, account.KeyOptions{Clock: func() time.Time { return clock }})
	keys, err := createConsoleKeys(t.Context(), service, now)
	require.NoError(t, err)
	_, err = service.Authenticate(t.Context(), keys.operator)
	require.NoError(t, err)
	clock = now.Add(consoleKeyLifetime)
	_, err = service.Authenticate(t.Context(), keys.operator)
	require.ErrorAs(t, err, new(*account.KeyError))
}

// A page of the console signs in once. A page of another web server that may call the APIs cannot use the session.
func TestConsole_SignIn(t *testing.T) {
	t.Parallel()
	const origin = "https://console.example"
	handler, keys := filledConsole(t, origin)
	own := map[string]string{"Sec-Fetch-Site": "same-origin", "X-API-Key": keys.operator}
	signedIn := askConsole(t, handler, http.MethodPost, "/session/operator", own)
	require.Equal(t, http.StatusOK, signedIn.Code)
	var session struct{ Operator string }
	require.NoError(t, json.Unmarshal(signedIn.Body.Bytes(), &session))
	cookie, _, _ := strings.Cut(signedIn.Header().Get("Set-Cookie"), ";")
	own = map[string]string{"Sec-Fetch-Site": "same-origin", "Cookie": cookie, "X-Session-Key": session.Operator, "Content-Type": "application/json"}
	require.Equal(t, http.StatusOK, askConsole(t, handler, http.MethodGet, "/operator/dispute/list", own).Code)
	require.Equal(t, http.StatusOK, askConsole(t, handler, http.MethodPost, "/api/v2/asset/changelog", own).Code)

	other := map[string]string{"Sec-Fetch-Site": "same-site", "Origin": origin, "Cookie": cookie, "X-Session-Key": session.Operator}
	require.Equal(t, http.StatusUnauthorized, askConsole(t, handler, http.MethodGet, "/operator/dispute/list", other).Code)
	require.NotContains(t, askConsole(t, handler, http.MethodOptions, "/operator/dispute/list", map[string]string{
		"Origin": origin, "Access-Control-Request-Method": "GET",
	}).Header().Get("Access-Control-Allow-Headers"), "X-Session-Key")
}
