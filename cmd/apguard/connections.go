package main

import (
	"container/list"
	"context"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/apguard/apguard/httpapi/limit"
)

// connections bounds the open connections of a server. When there are as many as the
// maximum, it closes one that no request needs: of the client address with most of those, one that was
// answered and has not ended, because net/http waits for the rest of its request or for the client to read,
// or else the one that has waited longest for a request. Clients that send no request therefore cannot keep
// others out, and clients with one address do not even close the connections of others. Requests of one client
// address, which can be that of a proxy, run on nine tenths of the connections at most, so that others always
// have some.
type connections struct {
	// maximum is at least 2. With 1, a new connection would only have its own place.
	maximum int
	// sendTime is how long an answer may take to be sent.
	sendTime time.Duration

	mu sync.Mutex
	// later is set while room is going to be made after sendTime.
	later bool
	open  map[net.Conn]*connection
	peers map[netip.Addr]*peer
	// running is the number of running handlers, and ended is signaled when one ends.
	running int
	ended   *sync.Cond
}

// peer is a client address with open connections or running handlers.
type peer struct {
	address netip.Addr
	// waiting has the connections that wait for the head of a request, and answered those whose handler has
	// ended, until they wait for the next one or are closed. The longest is the first.
	waiting, answered list.List
	// open and running are the numbers of its connections and handlers.
	open, running int
}

// connection is an open connection.
type connection struct {
	net.Conn
	peer *peer
	// list is the list of the peer that it is in, element its place there, and since the time when it
	// came there. list is nil while a request is running.
	list    *list.List
	element *list.Element
	since   time.Time
	// served is set from its first request on.
	served bool
}

func newConnections(maximum int) *connections {
	c := &connections{
		maximum:  maximum,
		sendTime: sendTime,
		open:     make(map[net.Conn]*connection),
		peers:    make(map[netip.Addr]*peer),
	}
	c.ended = sync.NewCond(&c.mu)
	return c
}

// sendTime is the sendTime of a server.
const sendTime = 100 * time.Millisecond

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
	added := &connection{Conn: conn, peer: c.peerOf(conn)}
	added.peer.open++
	c.open[conn] = added
	added.enter(&added.peer.waiting)
	c.makeRoom(added)
	return context.WithValue(ctx, connectionKey{}, added)
}

// changed is the ConnState of a server.
func (c *connections) changed(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	own := c.open[conn]
	switch {
	case own == nil:
	case state == http.StateIdle && own.list != &own.peer.waiting:
		own.enter(&own.peer.waiting)
		c.makeRoom(nil)
	case state == http.StateClosed, state == http.StateHijacked:
		c.remove(own)
	}
}

// makeRoom closes a connection if there is no room for another one. The new one, if any, gets its chance. If
// the client with most unneeded ones has none that can be closed yet, no other loses one for it.
func (c *connections) makeRoom(added *connection) {
	if len(c.open) < c.maximum {
		return
	}
	most := 1
	var chosen *connection
	for _, each := range c.peers {
		unused := each.unused()
		if unused < most {
			continue
		}
		one := c.closable(each, added)
		if unused > most || one.before(chosen) {
			most, chosen = unused, one
		}
	}
	if chosen == nil {
		c.makeRoomLater()
		return
	}
	c.remove(chosen)
	_ = chosen.Close()
}

// makeRoomLater makes room after the time that an answer may take: no new connection, which would make room,
// is accepted before.
func (c *connections) makeRoomLater() {
	if c.later {
		return
	}
	c.later = true
	time.AfterFunc(c.sendTime, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.later = false
		c.makeRoom(nil)
	})
}

// closable returns the connection of a peer that no request needs most, or nil. While no other is new, one
// that has just come may still send its first request.
func (c *connections) closable(of *peer, added *connection) *connection {
	if answered := first(&of.answered); answered != nil && time.Since(answered.since) >= c.sendTime {
		return answered
	}
	for element := of.waiting.Front(); element != nil; element = element.Next() {
		waiting := element.Value.(*connection)
		if waiting != added && (added != nil || waiting.served || time.Since(waiting.since) >= c.sendTime) {
			return waiting
		}
	}
	return nil
}

// before reports whether a connection is closed before another one, each of which can be nil.
func (own *connection) before(other *connection) bool {
	return own != nil && (other == nil || own.since.Before(other.since))
}

// unused returns the number of connections that no request needs.
func (p *peer) unused() int { return p.waiting.Len() + p.answered.Len() }

// first returns the connection that has been in a list for longest, or nil.
func first(of *list.List) *connection {
	if of.Len() == 0 {
		return nil
	}
	return of.Front().Value.(*connection)
}

// remove forgets a connection.
func (c *connections) remove(own *connection) {
	own.leave()
	delete(c.open, own.Conn)
	own.peer.open--
	c.forget(own.peer)
}

// enter puts the connection in a list of its peer.
func (own *connection) enter(in *list.List) {
	own.leave()
	own.list, own.element, own.since = in, in.PushBack(own), time.Now()
}

// leave takes the connection out of the list that it is in.
func (own *connection) leave() {
	if own.list == nil {
		return
	}
	own.list.Remove(own.element)
	own.list = nil
}

// peerOf returns the peer of a connection.
func (c *connections) peerOf(conn net.Conn) *peer {
	address := addressOf(conn)
	if c.peers[address] == nil {
		c.peers[address] = &peer{address: address}
	}
	return c.peers[address]
}

// forget forgets a peer that has nothing.
func (c *connections) forget(own *peer) {
	if own.open == 0 && own.running == 0 {
		delete(c.peers, own.address)
	}
}

// addressOf returns the address by which the client of a connection is limited. It is the zero Addr if the
// connection has none.
func addressOf(conn net.Conn) netip.Addr {
	address, ok := conn.RemoteAddr().(*net.TCPAddr)
	if !ok {
		return netip.Addr{}
	}
	return limit.Network(address.AddrPort().Addr().Unmap())
}

// track returns a handler that records when requests run.
func (c *connections) track(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		own, ok := r.Context().Value(connectionKey{}).(*connection)
		if !ok { // not through a connection, as in tests
			next.ServeHTTP(w, r)
			return
		}
		defer c.end(own)
		if !c.begin(own) {
			refuse(w)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// begin begins to run a request. It reports false if that of the client must be refused.
func (c *connections) begin(own *connection) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	own.leave()
	own.served = true
	c.running++
	own.peer.running++
	return c.mayRun(own.peer.running)
}

// mayRun reports whether one client may run that many requests.
func (c *connections) mayRun(requests int) bool { return requests <= c.maximum-max(c.maximum/10, 1) }

// end ends it.
func (c *connections) end(own *connection) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running--
	own.peer.running--
	if c.open[own.Conn] == own {
		own.enter(&own.peer.answered)
		c.makeRoom(nil)
	}
	c.forget(own.peer)
	c.ended.Broadcast()
}

// refuse answers a request of a client that has as many connections in use as it may have.
func refuse(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(time.Second)) // a client that does not read must not stay
	w.Header().Set("Connection", "close")
	w.Header().Set("Retry-After", "1")
	http.Error(w, "too many requests of this address at the same time", http.StatusServiceUnavailable)
}

// drain waits until no handler is running.
func (c *connections) drain() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.running > 0 {
		c.ended.Wait()
	}
}
