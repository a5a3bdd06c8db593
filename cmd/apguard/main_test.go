package main

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/asset"
)

func TestRun_Errors(t *testing.T) {
	t.Parallel()
	taken, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, taken.Close()) })
	notADatabase := writeFile(t, strings.Repeat("this is not a database. ", 100))

	cases := map[string]struct {
		args  []string
		usage bool
		want  string
	}{
		"an unknown flag":                   {[]string{"-port", "80"}, true, "-port"},
		"an argument":                       {[]string{"extra"}, true, "unexpected argument"},
		"a base without a slash":            {[]string{"-base", "api"}, true, "-base must begin with a slash"},
		"a base with a pattern":             {[]string{"-base", "/{x}"}, true, "-base must be a plain path"},
		"a base with an empty segment":      {[]string{"-base", "/a//b"}, true, "-base must be a plain path"},
		"a base that ends in two slashes":   {[]string{"-base", "/a//"}, true, "-base must be a plain path"},
		"a base of slashes":                 {[]string{"-base", "//"}, true, "-base must be a plain path"},
		"a base with ..":                    {[]string{"-base", "/a/../b"}, true, "-base must be a plain path"},
		"a base of ..":                      {[]string{"-base", "/.."}, true, "-base must be a plain path"},
		"a base with .":                     {[]string{"-base", "/a/./b"}, true, "-base must be a plain path"},
		"a base with a broken escape":       {[]string{"-base", "/a%zz"}, true, "-base must be a plain path"},
		"a base with an escape":             {[]string{"-base", "/a%20b"}, true, "-base must be a plain path"},
		"a base with a pipe":                {[]string{"-base", "/a|b"}, true, "-base must be a plain path"},
		"a base with a line break":          {[]string{"-base", "/a\n"}, true, "-base must be a plain path"},
		"a base with a letter beyond ASCII": {[]string{"-base", "/b\u00e9"}, true, "-base must be a plain path"},
		"an unreachable PostgreSQL server":  {[]string{"-db", "postgres://ada:secret@127.0.0.1:1/x?sslmode=disable"}, false, "-db postgres://...: "},
		"the base of a probe":               {[]string{"-base", "/livez"}, true, "paths of the probes"},
		"the base of a probe with a slash":  {[]string{"-base", "/readyz/"}, true, "paths of the probes"},
		"a negative drain":                  {[]string{"-drain", "-1s"}, true, "-drain must not be negative"},
		"a negative grace":                  {[]string{"-grace", "-1s"}, true, "-grace must not be negative"},
		"a negative rate":                   {[]string{"-rate", "-1"}, true, "-rate must be from 0 to 2147483647"},
		"a rate that is not a number":       {[]string{"-rate", "NaN"}, true, "-rate must be from 0"},
		"an infinite rate":                  {[]string{"-rate", "Inf"}, true, "-rate must be from 0"},
		"no burst":                          {[]string{"-burst", "0"}, true, "-burst must be from 1 to 2147483647"},
		"public hashes without hashes":      {[]string{"-public-hashes"}, true, "-public-hashes needs -hashes"},
		"no wait between requests":          {[]string{"-hashes", "-hashes-wait", "0s"}, true, "-hashes-wait must be positive"},
		"one connection":                    {[]string{"-max-connections", "1"}, true, "-max-connections must be at least 2"},
		"a file that is only read":          {[]string{"-read-only"}, true, "-read-only needs a postgres:// URL"},
		"a seed that is not to be written":  {[]string{"-read-only", "-seed", "x"}, true, "-seed cannot be used with -read-only"},
		"metrics on a port in use":          {[]string{"-metrics", taken.Addr().String()}, false, "-metrics " + taken.Addr().String()},
		"operators on a port in use":        {[]string{"-operator", taken.Addr().String()}, false, "-operator " + taken.Addr().String()},
		"metrics on an invalid address":     {[]string{"-metrics", "nowhere"}, false, "-metrics nowhere"},
		"a missing phishing list":           {[]string{"-phishlist", "no-such.json"}, false, "-phishlist: stat no-such.json: "},
		"an invalid phishing list":          {[]string{"-phishlist", writeFile(t, `{"blacklist":[5]}`)}, false, "(blacklist[0]): must be a string"},
		"a port in use":                     {[]string{"-addr", taken.Addr().String()}, false, "address already in use"},
		"an invalid address":                {[]string{"-addr", "nowhere"}, false, "-addr nowhere"},
		"a file that is not a database":     {[]string{"-db", notADatabase}, false, notADatabase},
		"a database in a missing directory": {[]string{"-db", filepath.Join(t.TempDir(), "no", "such.db")}, false, "such.db"},
		"a directory as a database":         {[]string{"-db", t.TempDir()}, false, "-db"},
		"a missing seed file":               {[]string{"-seed", "no-such.json"}, false, "no-such.json"},
		"a seed file that is not JSON":      {[]string{"-seed", writeFile(t, "{\n\"users\": [}\n")}, false, "line 2"},
		"a seed file with an invalid asset": {[]string{"-seed", writeFile(t, `{"assets":[{"content":"no asset"}]}`)}, false, "assets[0].content"},
	}
	for reason, c := range cases {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			db := filepath.Join(t.TempDir(), "new.db")
			stdout, stderr, err := runProgram(t, noVariables, append([]string{"serve", "-addr", "127.0.0.1:0", "-db", db}, c.args...)...)
			require.Error(t, err)
			require.Empty(t, stdout, "nothing listens and no key is shown")
			require.NoFileExists(t, db, "no database is created")
			require.Equal(t, c.usage, errors.As(err, new(usageError)))
			require.Empty(t, stderr, "main prints the error")
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestRun_Memory(t *testing.T) {
	t.Parallel()
	s := startDemo(t, noVariables, "-db", "memory", "-base", "/guard/")
	require.True(t, strings.HasSuffix(s.url, "/guard"), s.url)
	key := keyOf(t, s)
	status, body := request(t, s.url, key, call{path: "/asset/changelog", body: `{}`})
	require.Equal(t, http.StatusOK, status, body)
}

// An entry that ended while nothing ran leaves the allowlist when the server starts.
func TestRun_RegularWork(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "test.db")
	store, err := openFile(t.Context(), db)
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	yesterday := func() time.Time { return time.Now().Add(-24 * time.Hour) }
	_, err = apguard.New(store, apguard.Options{Clock: yesterday}).Allowlist.Add(t.Context(), allowlist.AddRequest{
		OrganizationID: 1,
		Items:          []allowlist.Item{{Content: "https://ends.example", ExpiresAt: yesterday().Add(time.Hour)}},
	})
	require.NoError(t, err)
	start(t, "-db", db)
	guard := apguard.New(store, apguard.Options{})
	require.Eventually(t, func() bool {
		found, err := guard.Asset(t.Context(), "https://ends.example")
		return err == nil && found.Status == asset.StatusUnknown
	}, time.Minute, 10*time.Millisecond)
}

func TestNewHandler_NotFound(t *testing.T) {
	t.Parallel()
	s := start(t, "-db", "memory")
	for reason, path := range map[string]string{
		"an unknown operation":       "/asset/nothing",
		"the base":                   "",
		"a path outside of the base": "/../../other",
	} {
		status, body := request(t, s.url, "", call{path: path})
		require.Equal(t, http.StatusNotFound, status, reason)
		require.Contains(t, body, `"code":"NOT_FOUND"`, reason)
	}
}

func TestNewHandler_MethodNotAllowed(t *testing.T) {
	t.Parallel()
	const notSupported = `{"code":"METHOD_NOT_SUPPORTED","message":"Method not supported"`
	for _, base := range []string{"/api/v2", "/"} {
		s := start(t, "-db", "memory", "-base", base)
		for path, c := range map[string]struct{ allow, body string }{
			"/asset/changelog":      {"POST", notSupported + `,"issues":[]}`},
			"/organization/assets":  {"GET, HEAD, POST", `{"error":` + notSupported + `}}`},
			"/organization/reports": {"GET, HEAD", notSupported + `,"issues":[]}`},
		} {
			for _, method := range []string{"FOO", "post", http.MethodDelete} {
				status, header, body := send(t, method, s.url, "", call{path: path})
				require.Equal(t, http.StatusMethodNotAllowed, status, method+" "+path)
				require.Equal(t, c.allow, header.Get("Allow"), method+" "+path)
				require.Equal(t, c.body, body, method+" "+path)
			}
		}
		status, _, body := send(t, "FOO", s.url, "", call{path: "/else"})
		require.Equal(t, http.StatusNotFound, status)
		require.Contains(t, body, `"code":"NOT_FOUND"`)
	}
}

// TestProgram_SecondInterrupt interrupts a server repeatedly during a request that would
// take the whole grace period.
func TestProgram_SecondInterrupt(t *testing.T) {
	t.Parallel()
	// In the background, shells start programs that ignore interrupts, and so would the
	// server. It does not inherit a handler.
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	s, process := startProcess(t, "-db", "memory", "-seed", writeFile(t, seed))
	addr, _, _ := strings.Cut(strings.TrimPrefix(s.url, "http://"), "/")
	client, err := new(net.Dialer).DialContext(t.Context(), "tcp", addr)
	require.NoError(t, err)
	t.Cleanup(func() { _ = client.Close() })
	_, err = fmt.Fprint(client, "POST /api/v2/asset/changelog HTTP/1.1\r\nHost: test\r\nX-API-KEY: apg_globex\r\n"+
		"Content-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
	require.NoError(t, err)
	line, err := bufio.NewReader(client).ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, line, "100 Continue", "the server waits for the body")

	ended := make(chan error, 1)
	go func() { ended <- s.stop() }()
	// One at a time: many signals at once may crash the Go runtime while it stops handling them.
	for range time.Tick(20 * time.Millisecond) {
		if process.Signal(os.Interrupt) != nil {
			break // the process has ended
		}
	}
	var exit *exec.ExitError
	require.ErrorAs(t, <-ended, &exit)
	require.Equal(t, syscall.SIGINT, exit.Sys().(syscall.WaitStatus).Signal(), "it does not wait for the request")
}
