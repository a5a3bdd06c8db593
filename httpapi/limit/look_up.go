package limit

import (
	"context"
	"net/http"
	"net/netip"
	"slices"
	"sync"
)

// lookUpsOfRefused is how many credentials of a client that has exceeded a [Failures] are looked
// up at the same time. Stores keep few connections for keys, and such a client must not get
// all of them.
const lookUpsOfRefused = 1

// lookUps are the look-ups of credentials, by client. Beyond the limit of a client they wait, in
// order, because strangers may share the address of a client with a valid key.
type lookUps struct {
	max, maxPerClient int64

	mu             sync.Mutex
	total, waiting int64
	clients        map[netip.Addr]clientLookUps
}

// clientLookUps are the look-ups of one client.
type clientLookUps struct {
	running int64
	waiting []*lookUpTurn
}

// lookUpTurn is a look-up that waits.
type lookUpTurn struct {
	// atOnce is the maximum number of look-ups of the client, with this one.
	atOnce int64
	// come is closed when the look-up may begin.
	come chan struct{}
}

// BeginLookUp counts a look-up of credentials until [Load.EndLookUp]. refused is true if the
// client has exceeded a [Failures]. Its credentials are looked up one by one. Those of another
// client are looked up as often at the same time as the limit of requests per caller allows.
// Further ones wait until it is their turn.
//
// BeginLookUp returns an [*Error] with the status 503 if as many look-ups of all clients run, or
// as many wait, as the limit of requests allows, or if ctx ends first.
func (l *Load) BeginLookUp(ctx context.Context, client netip.Addr, refused bool) error {
	atOnce := l.lookUps.maxPerClient
	if refused {
		atOnce = min(atOnce, lookUpsOfRefused)
	}
	client = Network(client)
	turn, err := l.lookUps.enter(client, atOnce)
	if turn == nil {
		return err
	}
	select {
	case <-turn.come:
		return nil
	case <-ctx.Done():
		return l.lookUps.abandon(client, turn)
	}
}

// EndLookUp ends a look-up that has begun.
func (l *Load) EndLookUp(client netip.Addr) { l.lookUps.end(Network(client)) }

// lookUpsExceeded is the error beyond the server-wide limit.
func lookUpsExceeded() error {
	return &Error{Policy: PolicyRequests, Status: http.StatusServiceUnavailable}
}

// enter begins a look-up of a client that may have that many at the same time. If it must wait
// first, enter returns its turn.
func (l *lookUps) enter(client netip.Addr, atOnce int64) (*lookUpTurn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	own := l.clients[client]
	mustWait := len(own.waiting) > 0 || own.running >= atOnce
	switch {
	case atOnce <= 0, mustWait && l.waiting >= l.max, !mustWait && l.total >= l.max:
		return nil, lookUpsExceeded()
	case mustWait:
		turn := &lookUpTurn{atOnce: atOnce, come: make(chan struct{})}
		own.waiting = append(own.waiting, turn)
		l.clients[client] = own
		l.waiting++
		return turn, nil
	default:
		own.running++
		l.clients[client] = own
		l.total++
		return nil, nil
	}
}

// end ends a look-up of a client, and begins those whose turn it is.
func (l *lookUps) end(client netip.Addr) {
	l.mu.Lock()
	defer l.mu.Unlock()
	own := l.clients[client]
	own.running--
	l.total--
	l.advance(client, own)
}

// abandon gives up a look-up that waits, unless its turn has come.
func (l *lookUps) abandon(client netip.Addr, turn *lookUpTurn) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	own := l.clients[client]
	i := slices.Index(own.waiting, turn)
	if i < 0 {
		return nil
	}
	own.waiting = slices.Delete(own.waiting, i, i+1)
	l.waiting--
	l.advance(client, own)
	return lookUpsExceeded()
}

// advance begins the look-ups of a client whose turn it is, and stores own. A client with a
// look-up that waits always has one that runs, whose end calls advance.
func (l *lookUps) advance(client netip.Addr, own clientLookUps) {
	for len(own.waiting) > 0 && own.running < own.waiting[0].atOnce && l.total < l.max {
		close(own.waiting[0].come)
		own.waiting = own.waiting[1:]
		l.waiting--
		own.running++
		l.total++
	}
	if own.running == 0 {
		delete(l.clients, client)
		return
	}
	l.clients[client] = own
}
