package main

import (
	"container/list"
	"context"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// connections bounds the open connections of a server. When there are as many as the
// maximum, it closes one that was answered and has not ended: net/http keeps such a
// connection for half a second if it did not read the whole request. If there is none, it
// closes one that waits for a request: of the client address with most of those, the one that
// has waited longest. Clients that send no request therefore cannot keep others out, and
// clients with one address do not even close the connections of others. Requests of one client
// address run on nine tenths of the connections at most, so that others always have some.
type connections struct {
	// maximum is at least 2. With 1, a new connection would only have its own place.
	maximum int

	mu sync.Mutex
	// open has every open connection. The value is its place in waiting, or nil while
	// its request is running.
	open map[net.Conn]*list.Element
	// waiting has the connections that wait for the head of a request, longest first, by
	// client address. Their number is waits.
	waiting map[netip.Prefix]*list.List
	waits   int
	// begun is the number of waits so far.
	begun int
	// answered has the connections whose handler has ended, oldest first, until they wait
	// for the next request or are closed. answers has their places.
	answered *list.List
	answers  map[net.Conn]*list.Element
	// sendTime is how long an answer may take to be sent.
	sendTime time.Duration
	// running is the number of running handlers of each client that has some, and ended is signaled when
	// one ends.
	running map[netip.Prefix]int
	ended   *sync.Cond
}

func newConnections(maximum int) *connections {
	c := &connections{
		maximum:  maximum,
		open:     make(map[net.Conn]*list.Element),
		waiting:  make(map[netip.Prefix]*list.List),
		answered: list.New(),
		answers:  make(map[net.Conn]*list.Element),
		running:  make(map[netip.Prefix]int),
		sendTime: sendTime,
	}
	c.ended = sync.NewCond(&c.mu)
	return c
}

// sendTime is the sendTime of a server.
const sendTime = 100 * time.Millisecond

// answeredConn is a connection whose handler ended at that time.
type answeredConn struct {
	net.Conn
	at time.Time
}

// waitingConn is a connection that waits for the head of a request.
type waitingConn struct {
	net.Conn
	// number is greater than that of every earlier wait.
	number int
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
	c.enter(conn)
	c.makeRoom(1) // a new connection gets its chance
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
		c.enter(conn)
		c.makeRoom(0)
	case state == http.StateClosed, state == http.StateHijacked:
		c.remove(conn)
	}
}

// makeRoom closes a connection if there is no room for another one: one that was answered, or
// else a waiting one, if more than the given number wait.
func (c *connections) makeRoom(kept int) {
	if len(c.open) < c.maximum {
		return
	}
	if oldest := c.answered.Front(); oldest != nil {
		if answered := oldest.Value.(answeredConn); time.Since(answered.at) >= c.sendTime {
			c.remove(answered.Conn)
			_ = answered.Close()
			return
		}
	}
	if c.waits <= kept {
		return
	}
	var most *list.List
	for _, each := range c.waiting {
		if most == nil || each.Len() > most.Len() || each.Len() == most.Len() && longest(each).number < longest(most).number {
			most = each
		}
	}
	conn := longest(most).Conn
	c.remove(conn)
	_ = conn.Close()
}

// remove forgets a connection.
func (c *connections) remove(conn net.Conn) {
	c.leave(conn)
	delete(c.open, conn)
}

// longest returns the connection of a list that has waited longest.
func longest(waiting *list.List) waitingConn { return waiting.Front().Value.(waitingConn) }

// enter begins the wait of a connection.
func (c *connections) enter(conn net.Conn) {
	c.leave(conn)
	client := clientOf(conn)
	if c.waiting[client] == nil {
		c.waiting[client] = list.New()
	}
	c.waits++
	c.begun++
	c.open[conn] = c.waiting[client].PushBack(waitingConn{conn, c.begun})
}

// leave ends the wait of a connection, or the time in which it is answered.
func (c *connections) leave(conn net.Conn) {
	if answer := c.answers[conn]; answer != nil {
		c.answered.Remove(answer)
		delete(c.answers, conn)
	}
	place := c.open[conn]
	if place == nil {
		return
	}
	client := clientOf(conn)
	c.waiting[client].Remove(place)
	if c.waiting[client].Len() == 0 {
		delete(c.waiting, client)
	}
	c.waits--
	c.open[conn] = nil
}

// clientOf returns the address of the client of a connection. A client with IPv6 has a network
// of 64 bits.
func clientOf(conn net.Conn) netip.Prefix {
	if conn == nil {
		return netip.Prefix{}
	}
	address, ok := conn.RemoteAddr().(*net.TCPAddr)
	if !ok {
		return netip.Prefix{}
	}
	client := address.AddrPort().Addr().Unmap()
	bits := client.BitLen()
	if client.Is6() {
		bits = 64
	}
	return netip.PrefixFrom(client, bits).Masked()
}

// track returns a handler that records when requests run.
func (c *connections) track(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, _ := r.Context().Value(connectionKey{}).(net.Conn)
		defer c.end(conn)
		if !c.begin(conn) {
			refuse(w)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// begin begins to run a request. It reports false if that of the client must be refused.
func (c *connections) begin(conn net.Conn) bool {
	client := clientOf(conn)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.leave(conn)
	c.running[client]++
	return c.mayRun(c.running[client])
}

// mayRun reports whether one client may run that many requests.
func (c *connections) mayRun(requests int) bool { return requests <= c.maximum-max(c.maximum/10, 1) }

// end ends it.
func (c *connections) end(conn net.Conn) {
	client := clientOf(conn)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running[client]--
	if c.running[client] == 0 {
		delete(c.running, client)
	}
	if _, isOpen := c.open[conn]; isOpen {
		c.answers[conn] = c.answered.PushBack(answeredConn{conn, time.Now()})
	}
	c.ended.Broadcast()
}

// refuse answers a request of a client that has as many connections in use as it may have.
func refuse(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(time.Second)) // a client that does not read must not stay
	w.Header().Set("Connection", "close")
	w.Header().Set("Retry-After", "1")
	http.Error(w, "too many requests of this address at the same time", http.StatusServiceUnavailable)
}

// wait waits until no handler is running.
func (c *connections) wait() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.running) > 0 {
		c.ended.Wait()
	}
}
