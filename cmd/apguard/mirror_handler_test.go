package main

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check/mirror"
	"github.com/apguard/apguard/httpapi"
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
	m := mirror.New(mirror.FromServices(guard.Assets, guard.Feed), mirror.Options{})
	go func() { _ = m.Run(t.Context()) }()
	require.NoError(t, m.Sync(t.Context()))
	mirrored, err := newMirrorHandler(m, "", newWork())
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

// answerOf returns the response to a POST request.
func answerOf(t *testing.T, handler http.Handler, path, body string) *httptest.ResponseRecorder {
	t.Helper()
	request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	reply := httptest.NewRecorder()
	handler.ServeHTTP(reply, request)
	return reply
}
