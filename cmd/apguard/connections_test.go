package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/test/testsize"
)

// limitedSite is a running site with few connections.
type limitedSite struct {
	site
	// waits receives a value after each reply, once its connection waits for a request.
	waits <-chan struct{}
}

// serveLimited serves with at most that many connections until the end of the test. It has no
// time limits, so only the bound on connections closes any.
func serveLimited(t *testing.T, maxConnections int, handler http.Handler) limitedSite {
	t.Helper()
	waits := make(chan struct{})
	s := limitedSite{newSite(listenOnFreePort(t), handler, maxConnections, silentLogger()), waits}
	s.server.ReadHeaderTimeout, s.server.ReadTimeout, s.server.IdleTimeout = 0, 0, 0
	s.connections.sendTime = time.Hour
	s.server.ConnState = func(conn net.Conn, state http.ConnState) {
		s.connections.changed(conn, state)
		if state == http.StateIdle {
			select {
			case waits <- struct{}{}:
			case <-t.Context().Done():
			}
		}
	}
	served := make(chan error, 1)
	go func() { served <- s.server.Serve(s.listener) }()
	t.Cleanup(func() {
		require.NoError(t, s.server.Close())
		require.ErrorIs(t, <-served, http.ErrServerClosed)
		s.connections.drain()
	})
	return s
}

// statusOf reads a reply and returns its status. Then the connection waits for a request: a
// client can have the reply before.
func (s limitedSite) statusOf(t *testing.T, in *bufio.Reader) int {
	t.Helper()
	status := statusOf(t, in)
	<-s.waits
	return status
}

// sendWithin sets how long an answer may take from now on. Before, the time was too long for a connection that
// is slow to send its request to be closed.
func (s limitedSite) sendWithin(limit time.Duration) {
	s.connections.mu.Lock()
	defer s.connections.mu.Unlock()
	s.connections.sendTime, s.connections.later = limit, false
}

// get is a request for a path.
func get(path string) string { return "GET " + path + " HTTP/1.1\r\nHost: test\r\n\r\n" }

// requireMost requires that at most that many connections are open.
func requireMost(t *testing.T, s limitedSite, most int) {
	t.Helper()
	s.connections.mu.Lock()
	defer s.connections.mu.Unlock()
	require.LessOrEqual(t, len(s.connections.open), most)
}

// Clients that send nothing, a part of a request, or keep a connection open after a reply
// cannot keep others out.
func TestConnections_WaitingOnesMakeRoom(t *testing.T) {
	t.Parallel()
	const most = 10
	for reason, sent := range map[string]string{
		"nothing":          "",
		"a part of a head": "GET /livez HTTP/1.1\r\nHost: t",
		"a whole request":  get("/livez"),
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			s := serveLimited(t, most, handlerWithProbes(nil))
			addr := s.listener.Addr().String()
			for range 5 {
				for range 10 * most {
					client := dial(t, addr, sent)
					if sent == get("/livez") {
						require.Equal(t, http.StatusOK, s.statusOf(t, bufio.NewReader(client)))
					}
				}
				requireMost(t, s, most)
				require.Equal(t, http.StatusTeapot, s.statusOf(t, bufio.NewReader(dial(t, addr, get("/tea")))))
			}
		})
	}
}

// Connections that were answered, but whose request was not read, make room before one that
// waits.
func TestConnections_AnsweredOnesMakeRoom(t *testing.T) {
	t.Parallel()
	const most = 10
	s, addr := serveAnswers(t, most)
	for range 5 * most {
		require.Equal(t, http.StatusTeapot, statusOf(t, bufio.NewReader(dial(t, addr, unread))))
	}
	waiting := dial(t, addr, "")
	for range 5 * most {
		require.Equal(t, http.StatusTeapot, statusOf(t, bufio.NewReader(dial(t, addr, unread))))
	}
	requireMost(t, s, most)
	write(t, waiting, get("/"))
	require.Equal(t, http.StatusTeapot, statusOf(t, bufio.NewReader(waiting)))
}

// The connection that is closed is the one that has waited longest.
func TestConnections_LongestWaitEnds(t *testing.T) {
	t.Parallel()
	const most = 5
	s := serveLimited(t, most, handlerWithProbes(nil))
	addr := s.listener.Addr().String()
	clients := make([]net.Conn, most)
	readers := make([]*bufio.Reader, most)
	for i := range clients {
		if i == most-1 { // the first one has just had a request, and the second waits longest
			write(t, clients[0], get("/livez"))
			require.Equal(t, http.StatusOK, s.statusOf(t, readers[0]))
		}
		clients[i] = dial(t, addr, get("/livez"))
		readers[i] = bufio.NewReader(clients[i])
		require.Equal(t, http.StatusOK, s.statusOf(t, readers[i]))
	}
	_, err := readers[1].ReadByte()
	require.ErrorIs(t, err, io.EOF)
	for _, i := range []int{0, 2, 3, 4} {
		write(t, clients[i], get("/tea"))
		require.Equal(t, http.StatusTeapot, s.statusOf(t, readers[i]))
	}
}

// Many connections with one address do not close that of another client, even if it has waited
// longest.
func TestConnections_ClientsWithOtherAddresses(t *testing.T) {
	t.Parallel()
	s := serveLimited(t, 5, handlerWithProbes(nil))
	addr := s.listener.Addr().String()
	other := dialFrom(t, 2, addr, "")
	in := bufio.NewReader(other)
	for range 10 {
		write(t, other, get("/tea"))
		require.Equal(t, http.StatusTeapot, s.statusOf(t, in))
		for range 20 {
			require.Equal(t, http.StatusTeapot, s.statusOf(t, bufio.NewReader(dial(t, addr, get("/tea")))))
		}
		requireMost(t, s, 5)
	}
}

// Connections whose requests are running stay. While all are, a new one waits for its turn.
func TestConnections_RunningRequestsStay(t *testing.T) {
	t.Parallel()
	for _, most := range []int{2, 3, 10} {
		s, started, proceed := servePaused(t, most)
		addr := s.listener.Addr().String()
		running := make([]*bufio.Reader, most)
		for i := range running {
			running[i] = bufio.NewReader(dialFrom(t, byte(1+i/(most-1)), addr, get("/slow")))
			<-started
		}
		for range 5 {
			dial(t, addr, "")
		}
		last := bufio.NewReader(dialFrom(t, 2, addr, get("/tea")))
		requireMost(t, s, most)
		proceed()
		for _, in := range running {
			require.Equal(t, http.StatusTeapot, statusOf(t, in))
		}
		require.Equal(t, http.StatusTeapot, statusOf(t, last))
	}
}

// Requests of one client address never run on all connections.
func TestConnections_OneClientLeavesSome(t *testing.T) {
	t.Parallel()
	const most = 50 // with few connections, those that wait for an answer could be closed too
	s, started, proceed := servePaused(t, most)
	addr := s.listener.Addr().String()
	running := make([]*bufio.Reader, most-most/10)
	for i := range running {
		running[i] = bufio.NewReader(dial(t, addr, get("/slow")))
		<-started
	}
	for range most {
		resp, err := http.ReadResponse(bufio.NewReader(dial(t, addr, get("/slow"))), nil)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, http.StatusServiceUnavailable, resp.StatusCode)
		require.True(t, resp.Close)
		require.NotEmpty(t, resp.Header.Get("Retry-After"))
		require.Equal(t, http.StatusTeapot, statusOf(t, bufio.NewReader(dialFrom(t, 2, addr, get("/tea")))), "another client")
	}
	proceed()
	for _, in := range running {
		require.Equal(t, http.StatusTeapot, statusOf(t, in))
	}
	require.Equal(t, http.StatusTeapot, statusOf(t, bufio.NewReader(dial(t, addr, get("/slow")))), "there is room again")
}

// Connections that were answered but not read to the end make room, also if all of them end together and no
// new one is accepted meanwhile.
func TestConnections_AllAnsweredAtOnce(t *testing.T) {
	t.Parallel()
	const most = 10
	s, started, proceed := servePaused(t, most)
	addr := s.listener.Addr().String()
	const unfinished = "POST /slow HTTP/1.1\r\nHost: test\r\nContent-Length: 100\r\n\r\n"
	for range most - most/10 {
		dial(t, addr, unfinished)
		<-started
	}
	dialFrom(t, 3, addr, unfinished)
	<-started
	s.sendWithin(time.Second)
	proceed()
	require.Equal(t, http.StatusTeapot, statusOf(t, bufio.NewReader(dialFrom(t, 2, addr, get("/tea")))))
}

// A client with few connections keeps them, and gets its answers, however many others of another client are
// answered or wait.
func TestConnections_FewStay(t *testing.T) {
	t.Parallel()
	const most = 10
	s, addr := serveAnswers(t, most)
	few := dialFrom(t, 2, addr, "")
	for range 10 * most {
		dial(t, addr, unread)
		dial(t, addr, "")
	}
	in := bufio.NewReader(few)
	for range 2 {
		write(t, few, get("/"))
		require.Equal(t, http.StatusTeapot, s.statusOf(t, in))
		require.Equal(t, http.StatusTeapot, statusOf(t, bufio.NewReader(dialFrom(t, 2, addr, unread))))
	}
}

// A client with few connections keeps them while another one with more has none that can be closed yet.
func TestConnections_FewStayWhileAnswersAreSent(t *testing.T) {
	t.Parallel()
	const most = 4
	s, addr := serveAnswers(t, most)
	s.connections.sendTime = time.Hour
	few := dialFrom(t, 2, addr, "")
	for range most - 1 {
		require.Equal(t, http.StatusTeapot, statusOf(t, bufio.NewReader(dial(t, addr, unread))))
	}
	write(t, few, get("/"))
	require.Equal(t, http.StatusTeapot, s.statusOf(t, bufio.NewReader(few)))
}

// unread is a request whose body the server does not read to the end.
const unread = "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 10000000\r\n\r\n{"

// serveAnswers serves with at most that many connections, and closes each as soon as it is answered, if that
// makes room.
func serveAnswers(t *testing.T, most int) (s limitedSite, addr string) {
	t.Helper()
	s = serveLimited(t, most, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusTeapot)
	}))
	s.connections.sendTime = 0
	return s, s.listener.Addr().String()
}

// servePaused serves with at most that many connections. Requests for /slow report that they run, and
// then wait until proceed is called.
func servePaused(t *testing.T, most int) (s limitedSite, started <-chan struct{}, proceed func()) {
	t.Helper()
	runs, goOn := make(chan struct{}), make(chan struct{})
	s = serveLimited(t, most, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			select {
			case runs <- struct{}{}:
				<-goOn
			case <-goOn:
			}
		}
		w.WriteHeader(http.StatusTeapot)
	}))
	proceed = sync.OnceFunc(func() { close(goOn) })
	t.Cleanup(proceed)
	return s, runs, proceed
}

// dialFrom connects from the loopback address that ends in a number, and sends a text.
func dialFrom(t *testing.T, number byte, addr, sent string) net.Conn {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("NOT RUN: only Linux has several loopback addresses by default")
	}
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, number)}}
	client, err := dialer.DialContext(t.Context(), "tcp", addr)
	require.NoError(t, err)
	t.Cleanup(func() { _ = client.Close() })
	write(t, client, sent)
	return client
}

// A handler that was not reached through a connection, as in tests, runs without being counted.
func TestConnections_WithoutConnection(t *testing.T) {
	t.Parallel()
	c := newConnections(2)
	c.track(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(nil, new(http.Request).WithContext(context.Background()))
	c.drain()
}

// TestProgram_HalfOpenConnections opens many more connections than the server allows, each
// with a part of a request.
func TestProgram_HalfOpenConnections(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	count := testsize.Of(500, 500, 5_000)
	if files := openFiles(t); files < uint64(count+500) {
		t.Skipf("NOT RUN: %d connections need that many open files, and the limit is %d; raise it with ulimit -n", count, files)
	}
	s, process := startProcess(t, "-db", "memory", "-seed", writeFile(t, seed))
	addr, _, _ := strings.Cut(strings.TrimPrefix(s.url, "http://"), "/")
	before := residentMemory(t, process.Pid)
	slowest := time.Duration(0)
	for i := range count {
		dial(t, addr, "POST /api/v2/asset/changelog HTTP/1.1\r\nHost: t")
		if i%100 == 99 {
			sent := time.Now()
			// On a new connection: the server may have closed one that was used before.
			other := dial(t, addr, fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", post("apg_globex"), len(oneChange.body), oneChange.body))
			require.Equal(t, http.StatusOK, statusOf(t, bufio.NewReader(other)))
			slowest = max(slowest, time.Since(sent))
		}
	}
	t.Logf("%d half-open connections: slowest reply to others %v, %d MiB of memory more", count, slowest, (residentMemory(t, process.Pid)-before)>>20)
	require.NoError(t, process.Kill())
	require.Error(t, s.stop())
}
