package main

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/mirror"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/metrics"
	"github.com/apguard/apguard/storage/memory"
)

// A mirror answers with the same bytes as a server, except for what it does not copy: the note, the time, the source
// and the list of a decision are null.
func TestMirrorHandler_SameBytes(t *testing.T) {
	t.Parallel()
	guard := apguard.New(memory.New(), apguard.Options{})
	for content, status := range map[string]asset.Status{
		"evil.com": asset.StatusBlocked, "https://good.com": asset.StatusAllowed, "@scammer": asset.StatusBlocked,
		"0x52908400098527886E0F7030069857D2E4169EE7": asset.StatusBlocked,
	} {
		_, err := guard.SetStatus(t.Context(), content, status, asset.Origin{})
		require.NoError(t, err)
	}
	m := mirror.New(mirror.Options{})
	r := feed.NewReplica(feed.FromServices(guard.Assets, guard.Feed), feed.Options{Views: []feed.View{m}})
	go func() { _ = r.Run(t.Context()) }()
	require.NoError(t, r.Sync(t.Context()))
	mirrored, err := newMirrorHandler(m, r.State, "", metrics.NewCounts(nil))
	require.NoError(t, err)
	server, err := httpapi.New(guard, keyboard{account.Principal{Scopes: account.Scopes()}}, httpapi.Options{})
	require.NoError(t, err)

	basis := regexp.MustCompile(`"note":[^{}]*"list":(null|"[^"]*")`)
	for path, bodies := range map[string][]string{
		"/asset/check": {
			`{"content":"https://login.evil.com/x?y"}`, `{"content":"evil.com"}`, `{"content":"https://good.com/"}`, `{"content":"https://else.com"}`,
			`{"content":"0x52908400098527886e0f7030069857d2e4169ee7"}`, `{"content":"no asset"}`, `{"content":""}`, `{"content":1}`, `{}`, `{"contents":[]}`, `{`,
		},
		"/asset/check/batch": {
			`{"contents":["https://login.evil.com/x","@scammer","https://else.com","no asset",""]}`, `{"contents":[]}`, `{"contents":[1]}`,
			`{"contents":[` + strings.Repeat(`"a.com",`, 1000) + `"a.com"]}`, `null`,
		},
	} {
		for _, body := range bodies {
			want, got := answerOf(t, server, path, body), answerOf(t, mirrored, path, body)
			require.Equal(t, want.Code, got.Code, body)
			require.Equal(t, want.Header().Get("Content-Type"), got.Header().Get("Content-Type"), body)
			require.Equal(t, basis.ReplaceAllLiteralString(want.Body.String(), `"note":null,"since":null,"by":null,"list":null`), got.Body.String(), body)
			require.Regexp(t, `^\d+$`, got.Header().Get("Age"), body)
		}
	}
}

// A copy that is too old answers nothing, and load balancers see it.
func TestMirrorHandler_Stale(t *testing.T) {
	t.Parallel()
	guard := apguard.New(memory.New(), apguard.Options{})
	age := time.Duration(0)
	m := mirror.New(mirror.Options{MaxAge: time.Hour, Clock: func() time.Time { return time.Now().Add(age) }})
	r := feed.NewReplica(feed.FromServices(guard.Assets, guard.Feed), feed.Options{Views: []feed.View{m}})
	require.NoError(t, r.Refresh(t.Context()))
	handler, err := newMirrorHandler(m, r.State, "", metrics.NewCounts(nil))
	require.NoError(t, err)
	health := func() *httptest.ResponseRecorder {
		reply := httptest.NewRecorder()
		handler.ServeHTTP(reply, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/health", http.NoBody))
		return reply
	}
	const check, batch = `{"content":"a.example.com"}`, `{"contents":["a.example.com"]}`

	require.Equal(t, http.StatusOK, answerOf(t, handler, "/asset/check", check).Code)
	require.Equal(t, http.StatusOK, health().Code)
	require.NotContains(t, health().Body.String(), "stale")
	age = time.Hour
	for path, body := range map[string]string{"/asset/check": check, "/asset/check/batch": batch} {
		reply := answerOf(t, handler, path, body)
		require.Equal(t, http.StatusServiceUnavailable, reply.Code, path)
		require.Contains(t, reply.Body.String(), "SERVICE_UNAVAILABLE", path)
	}
	require.Equal(t, http.StatusServiceUnavailable, health().Code)
	require.Contains(t, health().Body.String(), `"stale":true`)
}

// answerOf returns the response to a POST request.
func answerOf(t *testing.T, handler http.Handler, path, body string) *httptest.ResponseRecorder {
	t.Helper()
	request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	reply := httptest.NewRecorder()
	handler.ServeHTTP(reply, request)
	return reply
}
