package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// newListSite starts a server of a list, whose URL has a token.
func newListSite(t *testing.T, answer http.HandlerFunc) (url string) {
	t.Helper()
	site := httptest.NewServer(answer)
	t.Cleanup(site.Close)
	return site.URL + "/token?token=token"
}

// eventuallyLogged waits until a server has logged a text.
func eventuallyLogged(t *testing.T, s server, text string) {
	t.Helper()
	require.Eventually(t, func() bool { return strings.Contains(s.logged(), text) }, time.Minute, 10*time.Millisecond, text)
}

// A server fetches lists while it runs, and says so in its log and its metrics without URLs.
func TestFetcher_Server(t *testing.T) {
	t.Parallel()
	good := newListSite(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("bad.com\nworse.com\nno host\n")) })
	gone := newListSite(t, http.NotFound)
	db := newDatabase(t)
	mustRun(t, noVariables, "lists", "add", "-db", db, "-private-lists", "-name", "good", "-format", "domains", "-url", good)
	mustRun(t, noVariables, "lists", "add", "-db", db, "-private-lists", "-name", "gone", "-format", "domains", "-url", gone)
	s := start(t, "-db", db, "-private-lists", "-metrics", "127.0.0.1:0")
	eventuallyLogged(t, s, `level=ERROR msg="list failed; trying again later" list=gone error="status 404"`)
	eventuallyLogged(t, s, `level=INFO msg="list synced" list=good added=2 withdrawn=0 kept=0 refused=1`)
	_, text := request(t, metricsOn.FindStringSubmatch(s.printed)[1], "", call{path: metricsPath})
	got := scrape(t, text)
	for sample, want := range map[string]float64{
		`apguard_list_entries{list="good"}`:  2,
		`apguard_list_failures{list="good"}`: 0,
		`apguard_list_entries{list="gone"}`:  0,
		`apguard_list_failures{list="gone"}`: 1,
	} {
		require.Contains(t, got, sample)
		require.InDelta(t, want, got[sample], 0, sample)
	}
	require.NoError(t, s.stop())
	require.NotContains(t, s.logged()+text, "token")
}

// An operator adds a list and has it fetched, without the command line.
func TestFetcher_Operator(t *testing.T) {
	t.Parallel()
	url := newListSite(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("bad.com\n")) })
	db := newDatabase(t)
	s := start(t, "-db", db, "-private-lists", "-operator", "127.0.0.1:0")
	operators := operatorsOn.FindStringSubmatch(s.printed)[1]
	secret := keyring{t, db}.create("-scopes", "operator:write", "-user", createUser(t, db, "-name", "Olga"))
	status, body := request(t, operators, secret, call{path: "/list/add", body: `{"name":"a","format":"domains","url":"` + url + `"}`})
	require.Equal(t, http.StatusOK, status, body)
	status, body = request(t, operators, secret, call{path: "/list/fetch", body: `{"name":"a","dryRun":true}`})
	require.Equal(t, http.StatusOK, status, body) // the server may have fetched it before
}

// Without the flag, no address of the server's own network is reached, no matter who has added the list.
func TestFetcher_PrivateAddress(t *testing.T) {
	t.Parallel()
	url := newListSite(t, func(http.ResponseWriter, *http.Request) { t.Error("the site was reached") })
	db := newDatabase(t)
	mustRun(t, noVariables, "lists", "add", "-db", db, "-private-lists", "-name", "own", "-format", "domains", "-url", url)
	eventuallyLogged(t, start(t, "-db", db), `list=own error="the URL, or one to which it redirects, is not allowed"`)
}

// A list is also fetched when somebody asks for it.
func TestRunLists_Fetch(t *testing.T) {
	t.Parallel()
	var empty atomic.Bool
	url := newListSite(t, func(w http.ResponseWriter, _ *http.Request) {
		if !empty.Load() {
			_, _ = w.Write([]byte("bad.com\nno host\n"))
		}
	})
	db := newDatabase(t)
	mustRun(t, noVariables, "lists", "add", "-db", db, "-private-lists", "-name", "own", "-format", "domains", "-url", url)
	sync := func(flags ...string) (stdout, stderr string, err error) {
		return runProgram(t, noVariables, append([]string{"lists", "sync", "-db", db, "-private-lists", "-name", "own"}, flags...)...)
	}
	for _, want := range []string{`{"added":1,"withdrawn":0,"kept":0,`, `{"added":0,"withdrawn":0,"kept":1,`} {
		stdout, stderr, err := sync()
		require.NoError(t, err)
		require.Contains(t, stdout, want)
		require.Equal(t, "line 2: refused: is not a host: \"no host\"\n", stderr)
	}
	empty.Store(true)
	stdout, _, err := sync()
	require.ErrorContains(t, err, "lists: nothing was changed: sync must be confirmed: the file has no entries")
	require.Contains(t, stdout, `"withdrawn":1,`)
	_, _, err = sync("-confirm")
	require.NoError(t, err)
}
