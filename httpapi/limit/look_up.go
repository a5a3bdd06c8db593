package limit

import (
	"context"
	"net/http"
	"net/netip"
	"sync"
)

// BeginLookUp waits until no credentials of the client are looked up that are limited in the same way, for
// a client that has exceeded a [Failures]: stores keep few connections for keys, and such a client must not
// get all of them. The caller must call end. BeginLookUp returns an [*Error] with the status 503 if ctx
// ends first.
func (l *Load) BeginLookUp(ctx context.Context, client netip.Addr) (end func(), err error) {
	return l.lookUps.begin(ctx, Network(client))
}

// turns lets one of each client go on at a time.
type turns struct {
	mu sync.Mutex
	of map[netip.Addr]*turn
}

// turn is full while one of a client goes on.
type turn struct {
	taken chan struct{}
	// users is the number of those that go on or wait.
	users int
}

func (t *turns) begin(ctx context.Context, client netip.Addr) (end func(), err error) {
	t.mu.Lock()
	own := t.of[client]
	if own == nil {
		own = &turn{taken: make(chan struct{}, 1)}
		t.of[client] = own
	}
	own.users++
	t.mu.Unlock()
	leave := func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		own.users--
		if own.users == 0 {
			delete(t.of, client)
		}
	}
	select {
	case own.taken <- struct{}{}:
		return func() { <-own.taken; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, &Error{Policy: PolicyRequests, Status: http.StatusServiceUnavailable}
	}
}
