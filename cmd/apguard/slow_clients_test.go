package main

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/internal/test/testsize"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
)

// seededHandler returns the handler of the program on a store with the seed.
func seededHandler(t *testing.T, observer httpapi.Observer) http.Handler {
	t.Helper()
	content, err := storage.ReadSeed(strings.NewReader(seed))
	require.NoError(t, err)
	return handlerWith(t, content, observer)
}

func handlerWith(t *testing.T, content storage.Seed, observer httpapi.Observer) http.Handler {
	t.Helper()
	store := memory.New()
	require.NoError(t, store.Import(t.Context(), content))
	logger := slog.New(slog.DiscardHandler)
	guard := apguard.New(store, apguard.Options{})
	handler, err := newHandler(guard, "/api/v2", httpapi.Options{Observer: observer},
		probes{ping: guard.Ready, timeout: pingTimeout, logger: logger})
	require.NoError(t, err)
	return handler
}

// post returns the head of a request to an operation, without the header fields for the
// length of its body.
func post(key string) string {
	return "POST /api/v2/asset/changelog HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nX-API-KEY: " + key + "\r\n"
}

func TestNewServer_SlowClients(t *testing.T) {
	t.Parallel()
	const get = "GET /livez HTTP/1.1\r\nHost: test\r\n"
	defaults := newSilentServer(nil)
	for reason, c := range map[string]struct {
		sent string
		// limit is the time limit that ends the connection. The replies are those before
		// and after it.
		limit         time.Duration
		before, after []int
	}{
		"an idle new connection":      {"", defaults.ReadHeaderTimeout, nil, nil},
		"an incomplete request line":  {"GET /liv", defaults.ReadHeaderTimeout, nil, []int{400}},
		"an incomplete head":          {get + "X-A: a\r\n", defaults.ReadHeaderTimeout, nil, nil},
		"an incomplete header field":  {get + "X-A: a\r\nX-B", defaults.ReadHeaderTimeout, nil, []int{400}},
		"an incomplete second head":   {get + "\r\n" + get, defaults.ReadHeaderTimeout, []int{200}, nil},
		"an idle used connection":     {get + "\r\n", defaults.IdleTimeout, []int{200}, nil},
		"a missing body":              {post("apg_globex") + "Content-Length: 10\r\n\r\n", httpapi.DefaultClientTimeout, nil, []int{400}},
		"an incomplete body":          {post("apg_globex") + "Content-Length: 10\r\n\r\n{", httpapi.DefaultClientTimeout, nil, []int{400}},
		"incomplete chunks":           {post("apg_globex") + "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n", httpapi.DefaultClientTimeout, nil, []int{400}},
		"an incomplete chunk":         {post("apg_globex") + "Transfer-Encoding: chunked\r\n\r\nff\r\n{", httpapi.DefaultClientTimeout, nil, []int{400}},
		"incomplete trailers":         {post("apg_globex") + "Transfer-Encoding: chunked\r\n\r\n0\r\nX-A: a\r\n", httpapi.DefaultClientTimeout, nil, []int{400}},
		"an incomplete body of a GET": {get + "Content-Length: 10\r\n\r\n{", defaults.ReadTimeout, nil, []int{200}},
		// The server stops reading after a pause of two seconds.
		"an incomplete body of a rejected request": {post("apg_wrong") + "Content-Length: 10\r\n\r\n{", 2 * time.Second, nil, []int{401}},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			server := newSilentServer(seededHandler(t, nil))
			listener := serveWithDeadlines(t, server)
			slow := make([]net.Conn, 20)
			for i := range slow {
				slow[i] = dial(t, listener.addr(), c.sent)
			}
			good := bufio.NewReader(dial(t, listener.addr(), post("apg_globex")+"Content-Length: 2\r\n\r\n{}"))
			require.Equal(t, http.StatusOK, statusOf(t, good), "other clients are served")

			for _, client := range slow {
				in := bufio.NewReader(client)
				for _, status := range c.before {
					require.Equal(t, status, statusOf(t, in))
				}
				listener.expire(client, len(c.sent))
				for _, status := range c.after {
					require.Equal(t, status, statusOf(t, in))
				}
				_, err := in.ReadByte()
				require.ErrorIs(t, err, io.EOF, "the connection is closed")
				require.InDelta(t, c.limit, listener.limit(client), float64(defaults.ReadHeaderTimeout-1), "by the expected limit")
			}
		})
	}
}

func TestNewServer_MaxHeaderBytes(t *testing.T) {
	t.Parallel()
	listener := serveWithDeadlines(t, newSilentServer(seededHandler(t, nil)))
	limit := newSilentServer(nil).MaxHeaderBytes
	for reason, c := range map[string]struct {
		head   string
		status int
	}{
		"the maximum":              {"GET /livez HTTP/1.1\r\nHost: test\r\nX-A: " + strings.Repeat("a", limit-100) + "\r\n\r\n", 200},
		"one long value":           {"GET /livez HTTP/1.1\r\nHost: test\r\nX-A: " + strings.Repeat("a", 1<<20), 431},
		"many short fields":        {"GET /livez HTTP/1.1\r\nHost: test\r\n" + strings.Repeat("X-A: a\r\n", 1<<17), 431},
		"a long name":              {"GET /livez HTTP/1.1\r\nHost: test\r\n" + strings.Repeat("a", 1<<20), 431},
		"a long path":              {"GET /" + strings.Repeat("a", 1<<20), 431},
		"a million parameters":     {"GET /api/v2/organization/reports?" + strings.Repeat("a&", 1_000_000), 431},
		"a long method":            {strings.Repeat("A", 1<<20), 431},
		"the longest useful query": {reportsQuery(strings.Repeat("999999999999,", report.MaxValues)), 403},
		"the longest valid query":  {reportsQuery(strings.Repeat("9007199254740991,", report.MaxValues)), 431},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			client := dial(t, listener.addr(), "")
			go func() { _, _ = io.WriteString(client, c.head) }() // fails when the server closes the connection
			resp, err := http.ReadResponse(bufio.NewReader(client), nil)
			require.NoError(t, err)
			_ = resp.Body.Close() // the server does not read the rest of the request
			require.Equal(t, c.status, resp.StatusCode)
			require.Less(t, listener.read(client), 2*limit, "the server stops reading")
		})
	}
}

// reportsQuery returns a request with the brand IDs and two search texts of maximum length, in
// the encoding of a URL.
func reportsQuery(brandIDs string) string {
	text := strings.Repeat("%F0%9F%98%80", report.MaxQuery/4)
	return "GET /api/v2/organization/reports?limit=100&status=IN_PROGRESS&brandIds=" + brandIDs + "&searchQuery=" + text + "&reporterQuery=" + text +
		" HTTP/1.1\r\nHost: test.example\r\nUser-Agent: test/1.0\r\nAccept: application/json\r\nX-API-KEY: apg_globex\r\n\r\n"
}

// TestNewServer_LongChangelogAndWriteTimeout has a write timeout that ends before a reply
// starts. Only replies that set deadlines of their own survive it.
func TestNewServer_LongChangelogAndWriteTimeout(t *testing.T) {
	t.Parallel()
	content, err := storage.ReadSeed(strings.NewReader(seed))
	require.NoError(t, err)
	const changes = 5000
	for i := range changes - 1 { // the seed has one
		content.Assets = append(content.Assets, storage.SeedAsset{
			Content: "https://site-" + strconv.Itoa(i) + ".example", Status: content.Assets[0].Status, ChangedAt: content.Assets[0].ChangedAt,
		})
	}
	server := newSilentServer(handlerWith(t, content, nil))
	require.Positive(t, server.WriteTimeout)
	server.WriteTimeout = time.Nanosecond
	listener := serveWithDeadlines(t, server)

	_, err = bufio.NewReader(dial(t, listener.addr(), "GET /livez HTTP/1.1\r\nHost: test\r\n\r\n")).ReadByte()
	require.ErrorIs(t, err, io.EOF, "the timeout ends other replies")

	client := dial(t, listener.addr(), "")
	in := bufio.NewReader(client)
	for range 3 { // on the same connection
		_, err = io.WriteString(client, post("apg_globex")+"Content-Length: 2\r\n\r\n{}")
		require.NoError(t, err)
		resp, err := http.ReadResponse(in, nil)
		require.NoError(t, err)
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, changes, strings.Count(string(body), `{"assetId"`))
	}
}

// TestNewServer_TenThousandIdleConnections runs the program as a separate process, because
// each connection needs an open file in the client and one in the server.
func TestNewServer_TenThousandIdleConnections(t *testing.T) {
	t.Parallel()
	testsize.OnlyFull(t)
	count := 10_000
	if testsize.Race() {
		count = 2_000 // the race detector supports at most 8128 goroutines
	}
	if files := openFiles(t); files < uint64(count+500) {
		t.Skipf("NOT RUN: %d connections need that many open files, and the limit is %d; raise it with ulimit -n", count, files)
	}
	s, process := startProcess(t, "-db", "memory", "-seed", writeFile(t, seed), "-max-connections", strconv.Itoa(count+100))
	addr, _, _ := strings.Cut(strings.TrimPrefix(s.url, "http://"), "/")
	before := residentMemory(t, process.Pid)

	idle := make([]net.Conn, count)
	for i := range idle {
		idle[i] = dial(t, addr, idleRequest) // a connection without a request is closed sooner
	}
	readAll(t, idle)
	status, body := request(t, s.url, "apg_globex", call{path: "/asset/changelog", body: `{}`})
	require.Equal(t, http.StatusOK, status, body)
	if after := residentMemory(t, process.Pid); after > 0 {
		each := (after - before) / count
		t.Logf("%d idle connections: %d bytes of the server's memory each", count, each)
		require.Less(t, each, 256<<10)
	}
	for _, client := range idle {
		write(t, client, idleRequest)
	}
	readAll(t, idle)                   // the server has kept all connections
	require.NoError(t, process.Kill()) // if the client closed them, each would keep its port for a minute
	require.Error(t, s.stop())
}

// idleRequest is the only request of an idle connection.
const idleRequest = "GET /livez HTTP/1.1\r\nHost: test\r\n\r\n"

// readAll reads a reply from each client.
func readAll(t *testing.T, clients []net.Conn) {
	t.Helper()
	buffer := make([]byte, 4096)
	for _, client := range clients {
		require.NoError(t, client.SetReadDeadline(time.Now().Add(time.Minute))) // the server answers others first
		n, err := client.Read(buffer)
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(string(buffer[:n]), "HTTP/1.1 200 "))
	}
}

// residentMemory returns the resident memory of a process in bytes, or 0 if the system
// does not report it.
func residentMemory(tb testing.TB, pid int) int {
	tb.Helper()
	if runtime.GOOS != "linux" {
		return 0
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	require.NoError(tb, err)
	kilobytes, err := strconv.Atoi(string(residentLine.FindSubmatch(text)[1]))
	require.NoError(tb, err)
	return kilobytes << 10
}

var residentLine = regexp.MustCompile(`(?m)^VmRSS:\s+(\d+) kB$`)
