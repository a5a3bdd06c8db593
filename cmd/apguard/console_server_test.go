package main

import (
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/console"
)

// A server with -console has the page, both APIs and the sign-in on the listener of operators. The public listener has
// neither the page nor the sign-in.
func TestServe_Console(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	page := console.Site{
		"index.html":  []byte("the page"),
		"config.json": []byte(`{"api":"/elsewhere","operatorApi":"/operator"}`),
	}
	require.NoError(t, page.Write(filepath.Join(dir, "page")))
	db := filepath.Join(dir, "test.db")
	s := start(t, "-db", db, "-operator", "127.0.0.1:0", "-console", filepath.Join(dir, "page"))
	found := regexp.MustCompile(`(?m)^console on (http://\S+)\n`).FindStringSubmatch(s.printed)
	require.NotNil(t, found, s.printed)
	desk := found[1]
	key := keyring{t, db}.create("-scopes", "operator:read", "-user", createUser(t, db, "-name", "Olga"))

	require.Equal(t, http.StatusOK, answerTo(t, http.MethodGet, desk+"/", nil))
	_, config := request(t, desk, "", call{path: "/config.json"})
	require.JSONEq(t, `{"api":"/api/v2","operatorApi":"/operator","signIn":"/session","keysInLink":false}`, config)
	signedIn := http.Header{"X-Api-Key": {key}, "Sec-Fetch-Site": {"same-origin"}, "Content-Type": {"application/json"}}
	require.Equal(t, http.StatusOK, answerTo(t, http.MethodPost, desk+"/session/operator", signedIn))
	require.Equal(t, http.StatusOK, answerTo(t, http.MethodGet, desk+"/operator/dispute/list", signedIn))
	require.Equal(t, http.StatusUnauthorized, answerTo(t, http.MethodPost, desk+"/api/v2/asset/check", nil))

	public := strings.TrimSuffix(s.url, defaultBase)
	require.Equal(t, http.StatusNotFound, answerTo(t, http.MethodGet, public+"/index.html", nil))
	require.Equal(t, http.StatusNotFound, answerTo(t, http.MethodPost, public+"/session/operator", signedIn))
}

// With -sign-in-header, a proxy signs people in without a key. Nobody else can.
func TestServe_SignInHeader(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	page := console.Site{"config.json": []byte(`{"api":"/elsewhere","operatorApi":"/operator"}`)}
	require.NoError(t, page.Write(filepath.Join(dir, "page")))
	db := filepath.Join(dir, "test.db")
	store, err := openFile(t.Context(), db)
	require.NoError(t, err)
	require.NoError(t, store.Close())
	olga := createUser(t, db, "-name", "Olga", "-email", "olga@acme.example")
	keyring{t, db}.create("-scopes", "operator:read", "-user", olga, "-name", "sign-in")
	named := http.Header{"X-Auth-Email": {"olga@acme.example"}, "Sec-Fetch-Site": {"same-origin"}}
	for reason, c := range map[string]struct {
		flags []string
		want  int
	}{
		"the proxy":              {[]string{"-trust-proxy", "127.0.0.1", "-sign-in-header", "x-auth-email"}, http.StatusOK},
		"the proxy, other names": {[]string{"-trust-proxy", "127.0.0.1", "-sign-in-header", "X-Forwarded-Email"}, http.StatusForbidden},
		"somebody else":          {[]string{"-trust-proxy", "127.0.0.2", "-sign-in-header", "X-Auth-Email"}, http.StatusForbidden},
		"no flag":                {[]string{"-trust-proxy", "127.0.0.1"}, http.StatusForbidden},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			s := start(t, append(c.flags, "-db", db, "-operator", "127.0.0.1:0", "-console", filepath.Join(dir, "page"))...)
			desk := regexp.MustCompile(`(?m)^console on (http://\S+)\n`).FindStringSubmatch(s.printed)[1]
			require.Equal(t, c.want, answerTo(t, http.MethodPost, desk+"/session/person", named))
			require.Equal(t, http.StatusUnauthorized, answerTo(t, http.MethodGet, desk+"/operator/dispute/list", named))
		})
	}
}

// answerTo returns the status of the response to a request without a body.
func answerTo(t *testing.T, method, url string, header http.Header) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, http.NoBody)
	require.NoError(t, err)
	if header != nil {
		request.Header = header
	}
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode
}
