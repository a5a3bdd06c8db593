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
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
)

// wholeHandler is the handler of the program on a store with the seed.
func wholeHandler(t *testing.T, observer httpapi.Observer) http.Handler {
	t.Helper()
	content, err := storage.ReadSeed(strings.NewReader(seed))
	require.NoError(t, err)
	return handlerOf(t, content, observer)
}

func handlerOf(t *testing.T, content storage.Seed, observer httpapi.Observer) http.Handler {
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

// post is the head of a request to an operation, without what says how long its
// body is.
func post(key string) string {
	return "POST /api/v2/asset/changelog HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nX-API-KEY: " + key + "\r\n"
}

func TestSlowClientsAreCutOff(t *testing.T) {
	t.Parallel()
	const get = "GET /livez HTTP/1.1\r\nHost: test\r\n"
	defaults := quiet(nil)
	for reason, c := range map[string]struct {
		said string
		// limit is what runs out. The replies are those until then, and after it.
		limit         time.Duration
		before, after []int
	}{
		"nothing is said":               {"", defaults.ReadHeaderTimeout, nil, nil},
		"a request line without end":    {"GET /liv", defaults.ReadHeaderTimeout, nil, []int{400}},
		"a head without end":            {get + "X-A: a\r\n", defaults.ReadHeaderTimeout, nil, nil},
		"a header without end":          {get + "X-A: a\r\nX-B", defaults.ReadHeaderTimeout, nil, []int{400}},
		"the next head without end":     {get + "\r\n" + get, defaults.ReadHeaderTimeout, []int{200}, nil},
		"nothing is said any more":      {get + "\r\n", defaults.IdleTimeout, []int{200}, nil},
		"a body that does not begin":    {post("apg_globex") + "Content-Length: 10\r\n\r\n", defaults.ReadTimeout, nil, []int{400}},
		"a body without end":            {post("apg_globex") + "Content-Length: 10\r\n\r\n{", defaults.ReadTimeout, nil, []int{400}},
		"chunks without end":            {post("apg_globex") + "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n", defaults.ReadTimeout, nil, []int{400}},
		"a chunk without end":           {post("apg_globex") + "Transfer-Encoding: chunked\r\n\r\nff\r\n{", defaults.ReadTimeout, nil, []int{400}},
		"trailers without end":          {post("apg_globex") + "Transfer-Encoding: chunked\r\n\r\n0\r\nX-A: a\r\n", defaults.ReadTimeout, nil, []int{400}},
		"a body that nobody asked for":  {get + "Content-Length: 10\r\n\r\n{", defaults.ReadTimeout, nil, []int{200}},
		"the body of a refused request": {post("apg_wrong") + "Content-Length: 10\r\n\r\n{", defaults.ReadTimeout, nil, []int{401}},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			server := quiet(wholeHandler(t, nil))
			clock := serveClocked(t, server)
			slow := make([]net.Conn, 20)
			for i := range slow {
				slow[i] = dial(t, clock.addr(), c.said)
			}
			good := bufio.NewReader(dial(t, clock.addr(), post("apg_globex")+"Content-Length: 2\r\n\r\n{}"))
			require.Equal(t, http.StatusOK, statusOf(t, good), "others are served meanwhile")

			for _, client := range slow {
				in := bufio.NewReader(client)
				for _, status := range c.before {
					require.Equal(t, status, statusOf(t, in))
				}
				clock.end(client, len(c.said))
				for _, status := range c.after {
					require.Equal(t, status, statusOf(t, in))
				}
				_, err := in.ReadByte()
				require.ErrorIs(t, err, io.EOF, "the client is cut off")
				require.InDelta(t, c.limit, clock.limit(client), float64(defaults.ReadHeaderTimeout-1), "by the limit that is meant")
			}
		})
	}
}

func TestHeadsHaveALimit(t *testing.T) {
	t.Parallel()
	clock := serveClocked(t, quiet(wholeHandler(t, nil)))
	limit := quiet(nil).MaxHeaderBytes
	for reason, c := range map[string]struct {
		head   string
		status int
	}{
		"as long as they may be":   {"GET /livez HTTP/1.1\r\nHost: test\r\nX-A: " + strings.Repeat("a", limit-100) + "\r\n\r\n", 200},
		"one long value":           {"GET /livez HTTP/1.1\r\nHost: test\r\nX-A: " + strings.Repeat("a", 1<<20), 431},
		"many short ones":          {"GET /livez HTTP/1.1\r\nHost: test\r\n" + strings.Repeat("X-A: a\r\n", 1<<17), 431},
		"a long name":              {"GET /livez HTTP/1.1\r\nHost: test\r\n" + strings.Repeat("a", 1<<20), 431},
		"a long path":              {"GET /" + strings.Repeat("a", 1<<20), 431},
		"a million parameters":     {"GET /api/v2/organization/reports?" + strings.Repeat("a&", 1_000_000), 431},
		"a long method":            {strings.Repeat("A", 1<<20), 431},
		"the longest useful query": {"GET /api/v2/organization/reports?brandIds=" + strings.Repeat("9007199254740991,", 1000) + "&searchQuery=" + strings.Repeat("%F0%9F%98%80", 1000) + "&reporterQuery=" + strings.Repeat("%F0%9F%98%80", 1000) + " HTTP/1.1\r\nHost: test\r\nX-API-KEY: apg_globex\r\n\r\n", 403},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			client := dial(t, clock.addr(), "")
			go func() { _, _ = io.WriteString(client, c.head) }() // breaks off when the server has had enough
			resp, err := http.ReadResponse(bufio.NewReader(client), nil)
			require.NoError(t, err)
			_ = resp.Body.Close() // whose end is lost, as the server does not take the rest of the request
			require.Equal(t, c.status, resp.StatusCode)
			require.Less(t, clock.read(client), 2*limit, "no more is read")
		})
	}
}

// TestALongChangelogOutlivesTheWriteTimeout gives the server a timeout that is over
// before a reply begins. What has no deadline of its own is lost then.
func TestALongChangelogOutlivesTheWriteTimeout(t *testing.T) {
	t.Parallel()
	content, err := storage.ReadSeed(strings.NewReader(seed))
	require.NoError(t, err)
	const changes = 5000
	for i := range changes - 1 { // one is there
		content.Assets = append(content.Assets, storage.SeedAsset{
			Content: "https://site-" + strconv.Itoa(i) + ".example", Status: content.Assets[0].Status, ChangedAt: content.Assets[0].ChangedAt,
		})
	}
	server := quiet(handlerOf(t, content, nil))
	require.Positive(t, server.WriteTimeout)
	server.WriteTimeout = time.Nanosecond
	clock := serveClocked(t, server)

	_, err = bufio.NewReader(dial(t, clock.addr(), "GET /livez HTTP/1.1\r\nHost: test\r\n\r\n")).ReadByte()
	require.ErrorIs(t, err, io.EOF, "the timeout is over")

	client := dial(t, clock.addr(), "")
	in := bufio.NewReader(client)
	for range 3 { // on one connection
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

// TestTenThousandIdleConnections runs the program as a process of its own, because
// each connection takes a file of the client and one of the server.
func TestTenThousandIdleConnections(t *testing.T) {
	t.Parallel()
	count := 10_000
	if raceDetector() {
		count = 2_000 // the race detector follows 8128 goroutines at most
	}
	if files := openFiles(t); files < uint64(count+500) {
		t.Skipf("NOT RUN: %d connections need as many open files, and the limit is %d; raise it with ulimit -n", count, files)
	}
	s, process := startProcess(t, "-db", "memory", "-seed", writeFile(t, seed))
	addr, _, _ := strings.Cut(strings.TrimPrefix(s.url, "http://"), "/")
	before := residentMemory(t, process.Pid)

	idle := make([]net.Conn, count)
	for i := range idle {
		idle[i] = dial(t, addr, idleRequest) // at once: who says nothing is cut off sooner
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
		say(t, client, idleRequest)
	}
	readAll(t, idle)                   // the server has kept all of them
	require.NoError(t, process.Kill()) // the server is the one to close them: else each would keep its port for a minute
	require.Error(t, s.stop())
}

// idleRequest is what a client says who says nothing else.
const idleRequest = "GET /livez HTTP/1.1\r\nHost: test\r\n\r\n"

// readAll reads a reply from each client.
func readAll(t *testing.T, clients []net.Conn) {
	t.Helper()
	buffer := make([]byte, 4096)
	for _, client := range clients {
		require.NoError(t, client.SetReadDeadline(time.Now().Add(time.Minute))) // others came first
		n, err := client.Read(buffer)
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(string(buffer[:n]), "HTTP/1.1 200 "))
	}
}

// residentMemory returns how many bytes of memory a process has, or 0 where nobody
// can tell.
func residentMemory(t *testing.T, pid int) int {
	t.Helper()
	if runtime.GOOS != "linux" {
		return 0
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	require.NoError(t, err)
	kilobytes, err := strconv.Atoi(string(residentLine.FindSubmatch(text)[1]))
	require.NoError(t, err)
	return kilobytes << 10
}

var residentLine = regexp.MustCompile(`(?m)^VmRSS:\s+(\d+) kB$`)

// raceDetector reports whether the test was built with -race.
func raceDetector() bool {
	info, _ := debug.ReadBuildInfo()
	for _, setting := range info.Settings {
		if setting.Key == "-race" {
			return setting.Value == "true"
		}
	}
	return false
}
