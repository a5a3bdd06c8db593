package main

import (
	"bufio"
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
	"github.com/apguard/apguard/internal/test/accounttest"
)

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
	accounttest.Organizations(t, store, 1)
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
