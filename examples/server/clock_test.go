package main

import (
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// clock is a listener on whose connections a deadline for reading comes when the
// test says so, and not earlier, so that no test has to wait for one or to hurry.
type clock struct {
	net.Listener
	mu sync.Mutex
	// heard is told whenever the server has read something.
	heard *sync.Cond
	// over holds the clients whose time is over.
	over    map[string]bool
	clients map[string]*clocked
}

// clocked is a connection whose deadline the clock keeps.
type clocked struct {
	net.Conn
	clock *clock
	// limited says that there is a deadline, and limit how far off it was.
	limited bool
	limit   time.Duration
	read    int
}

// serveClocked serves the server's handler until the end of the test.
func serveClocked(t *testing.T, server *http.Server) *clock {
	t.Helper()
	c := &clock{Listener: listenLocally(t), over: make(map[string]bool), clients: make(map[string]*clocked)}
	c.heard = sync.NewCond(&c.mu)
	served := make(chan error, 1)
	go func() { served <- server.Serve(c) }()
	t.Cleanup(func() {
		require.NoError(t, server.Close())
		require.ErrorIs(t, <-served, http.ErrServerClosed)
	})
	return c
}

func (c *clock) addr() string { return c.Addr().String() }

func (c *clock) Accept() (net.Conn, error) {
	accepted, err := c.Listener.Accept()
	if err != nil {
		return nil, err
	}
	conn := &clocked{Conn: accepted, clock: c}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clients[accepted.RemoteAddr().String()] = conn
	c.heard.Broadcast()
	return conn, nil
}

// end lets the time of a client be over, when the server has read that many bytes
// of what it said: the deadline that there is, or the next one, has come. What is
// not read would turn the server's last words into a reset.
func (c *clock) end(client net.Conn, said int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	name := client.LocalAddr().String()
	for c.clients[name] == nil || c.clients[name].read < said {
		c.heard.Wait()
	}
	c.over[name] = true
	if conn := c.clients[name]; conn.limited {
		_ = conn.Conn.SetReadDeadline(time.Unix(1, 0))
	}
}

// limit returns the last time limit that a client had for what the server reads.
func (c *clock) limit(client net.Conn) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.clients[client.LocalAddr().String()].limit
}

// read returns how many bytes the server has read from a client.
func (c *clock) read(client net.Conn) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.clients[client.LocalAddr().String()].read
}

func (c *clocked) SetReadDeadline(at time.Time) error {
	c.clock.mu.Lock()
	defer c.clock.mu.Unlock()
	left := time.Until(at)
	c.limited = left > 0
	switch {
	case !c.limited: // none, or one in the past, by which net/http wakes up a reader
		return c.Conn.SetReadDeadline(at)
	case c.clock.over[c.RemoteAddr().String()]:
		c.limit = left
		return c.Conn.SetReadDeadline(time.Unix(1, 0))
	default:
		c.limit = left
		return c.Conn.SetReadDeadline(time.Time{})
	}
}

func (c *clocked) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.clock.mu.Lock()
	defer c.clock.mu.Unlock()
	c.read += n
	c.clock.heard.Broadcast()
	return n, err
}
