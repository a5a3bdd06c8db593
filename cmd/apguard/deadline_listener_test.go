package main

import (
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// deadlineListener is a listener whose connections have read deadlines that end when the
// test says so. Tests need not wait for a deadline, and are not in a hurry.
type deadlineListener struct {
	net.Listener
	mu sync.Mutex
	// progress is signaled when the server accepts a connection or reads.
	progress *sync.Cond
	// expired has the clients whose deadlines have ended.
	expired map[string]bool
	clients map[string]*deadlineConn
}

// deadlineConn is a connection of a deadlineListener.
type deadlineConn struct {
	net.Conn
	listener *deadlineListener
	// limited reports whether there is a deadline, and limit how far away it was.
	limited bool
	limit   time.Duration
	read    int
}

// serveWithDeadlines runs a server on a deadlineListener until the end of the test.
func serveWithDeadlines(t *testing.T, server *http.Server) *deadlineListener {
	t.Helper()
	c := &deadlineListener{Listener: listenOnFreePort(t), expired: make(map[string]bool), clients: make(map[string]*deadlineConn)}
	c.progress = sync.NewCond(&c.mu)
	served := make(chan error, 1)
	go func() { served <- server.Serve(c) }()
	t.Cleanup(func() {
		require.NoError(t, server.Close())
		require.ErrorIs(t, <-served, http.ErrServerClosed)
	})
	return c
}

func (c *deadlineListener) addr() string { return c.Addr().String() }

func (c *deadlineListener) Accept() (net.Conn, error) {
	accepted, err := c.Listener.Accept()
	if err != nil {
		return nil, err
	}
	conn := &deadlineConn{Conn: accepted, listener: c}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clients[accepted.RemoteAddr().String()] = conn
	c.progress.Broadcast()
	return conn, nil
}

// expire ends the current read deadline of a client, or the next one. It waits until the
// server has read that many bytes: unread bytes would turn the last reply into a reset.
func (c *deadlineListener) expire(client net.Conn, bytes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	name := client.LocalAddr().String()
	for c.clients[name] == nil || c.clients[name].read < bytes {
		c.progress.Wait()
	}
	c.expired[name] = true
	if conn := c.clients[name]; conn.limited {
		_ = conn.Conn.SetReadDeadline(time.Unix(1, 0))
	}
}

// limit returns the last read deadline of a client, as a duration.
func (c *deadlineListener) limit(client net.Conn) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.clients[client.LocalAddr().String()].limit
}

// read returns how many bytes the server has read from a client.
func (c *deadlineListener) read(client net.Conn) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.clients[client.LocalAddr().String()].read
}

func (c *deadlineConn) SetReadDeadline(at time.Time) error {
	c.listener.mu.Lock()
	defer c.listener.mu.Unlock()
	left := time.Until(at)
	c.limited = left > 0
	switch {
	case !c.limited: // none, or one in the past, with which net/http wakes up a reader
		return c.Conn.SetReadDeadline(at)
	case c.listener.expired[c.RemoteAddr().String()]:
		c.limit = left
		return c.Conn.SetReadDeadline(time.Unix(1, 0))
	default:
		c.limit = left
		return c.Conn.SetReadDeadline(time.Time{})
	}
}

func (c *deadlineConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.listener.mu.Lock()
	defer c.listener.mu.Unlock()
	c.read += n
	c.listener.progress.Broadcast()
	return n, err
}
