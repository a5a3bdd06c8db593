package main

import (
	"container/list"
	"context"
	"net"
	"net/http"
	"sync"
)

// connections bounds the open connections of a server. When there are as many as the
// maximum, it closes the one that has waited longest for a request. Clients that send no
// request therefore cannot keep others out.
type connections struct {
	// maximum is at least 2. With 1, a new connection would only have its own place.
	maximum int

	mu sync.Mutex
	// open has every open connection. The value is its place in waiting, or nil while
	// its request is running.
	open map[net.Conn]*list.Element
	// waiting has the connections that wait for the head of a request, longest first.
	waiting *list.List
	// running is the number of running handlers, and ended is signaled when it changes.
	running int
	ended   *sync.Cond
}

func newConnections(maximum int) *connections {
	c := &connections{maximum: maximum, open: make(map[net.Conn]*list.Element), waiting: list.New()}
	c.ended = sync.NewCond(&c.mu)
	return c
}

// connectionKey is the key of a connection in the context of its requests.
type connectionKey struct{}

// limit makes the server use the connections.
func (c *connections) limit(server *http.Server) {
	server.ConnContext = c.opened
	server.ConnState = c.changed
	server.Handler = c.track(server.Handler)
}

// opened is the ConnContext of a server.
func (c *connections) opened(ctx context.Context, conn net.Conn) context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open[conn] = c.waiting.PushBack(conn)
	if c.waiting.Len() > 1 { // a new connection gets its chance
		c.makeRoom()
	}
	return context.WithValue(ctx, connectionKey{}, conn)
}

// changed is the ConnState of a server.
func (c *connections) changed(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	place, isOpen := c.open[conn]
	switch {
	case !isOpen:
	case state == http.StateIdle && place == nil:
		c.open[conn] = c.waiting.PushBack(conn)
		c.makeRoom()
	case state == http.StateClosed, state == http.StateHijacked:
		c.leave(conn)
		delete(c.open, conn)
	}
}

// makeRoom closes the connection that has waited longest, if there is no room for another
// connection.
func (c *connections) makeRoom() {
	if longest := c.waiting.Front(); longest != nil && len(c.open) >= c.maximum {
		conn := c.waiting.Remove(longest).(net.Conn)
		delete(c.open, conn)
		_ = conn.Close()
	}
}

// leave ends the wait of a connection.
func (c *connections) leave(conn net.Conn) {
	if place := c.open[conn]; place != nil {
		c.waiting.Remove(place)
		c.open[conn] = nil
	}
}

// track returns a handler that records when requests run.
func (c *connections) track(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, _ := r.Context().Value(connectionKey{}).(net.Conn)
		c.mu.Lock()
		c.leave(conn)
		c.running++
		c.mu.Unlock()
		defer func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.running--
			c.ended.Broadcast()
		}()
		next.ServeHTTP(w, r)
	})
}

// wait waits until no handler is running.
func (c *connections) wait() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.running > 0 {
		c.ended.Wait()
	}
}
