package postgres

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// hangTimeout is how long an attempt may take before its server is probed, how long a connection of
// a probe may take, and the time between two probes.
const hangTimeout = time.Second

// errReplaced is the cause of the end of an attempt's context.
var errReplaced = errors.New("another server has taken over")

func isReplaced(ctx context.Context) bool { return errors.Is(context.Cause(ctx), errReplaced) }

// watch ends the contexts of attempts at a server that was replaced. It probes servers while attempts
// take long, with one connection at a time for all of them.
type watch struct {
	// probe returns the server that has replaced another one, or "".
	probe func(server string) string
	// cancel cancels probe.
	cancel context.CancelFunc
	// renew closes the connections of the pool.
	renew func()

	mu sync.Mutex
	// attempts is nil after close.
	attempts map[*attempt]bool
	// last is the server of the last connection that the pool returned.
	last string
	// left is the server that was replaced last, until a connection leads to it again.
	left string
	// scheduled reports whether check is running or will run.
	scheduled bool
}

// attempt is a try of a step, or a late commit.
type attempt struct {
	since time.Time
	// server is the address of the server, or "" if it is unknown.
	server string
	cancel context.CancelCauseFunc
	// ended is for attempts whose callers left before they took long. They are probed once.
	ended bool
}

// newWatch returns a watch. If replaces is false, no server can take the place of another.
func newWatch(ctx context.Context, config *pgxpool.Config, replaces bool, renew func()) *watch {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	return &watch{
		probe: func(server string) string {
			if !replaces {
				return ""
			}
			return probe(ctx, config, server)
		},
		cancel:   cancel,
		renew:    renew,
		attempts: map[*attempt]bool{},
	}
}

// begin begins an attempt. If server is "", it is the last one until use. The returned context ends
// with the cause errReplaced when the server was replaced, and skips the one that was replaced before.
// The caller must call end.
func (w *watch) begin(ctx context.Context, server string) (context.Context, *attempt) {
	ctx, cancel := context.WithCancelCause(ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	a := &attempt{since: time.Now(), server: cmp.Or(server, w.last), cancel: cancel}
	w.attempts[a] = true
	if !w.scheduled {
		w.scheduled = true
		time.AfterFunc(hangTimeout, w.check)
	}
	return skip(ctx, w.left), a
}

// use sets the server of an attempt, unless the attempt must end.
func (w *watch) use(a *attempt, server string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.attempts[a] {
		return
	}
	a.server, w.last = server, server
	if server == w.left {
		w.left = ""
	}
}

// end ends an attempt. If its context has ended, its server may hang, and the next check probes it.
func (w *watch) end(ctx context.Context, a *attempt) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if a.ended = true; ctx.Err() == nil {
		delete(w.attempts, a)
	}
	a.cancel(nil)
}

// check probes the servers of attempts that take long. It runs again while there are attempts.
func (w *watch) check() {
	for server := range w.slow() {
		if next := w.probe(server); next != "" {
			w.leave(server, next)
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.scheduled = len(w.attempts) > 0
	if w.scheduled {
		time.AfterFunc(hangTimeout, w.check)
	}
}

// slow returns the servers of attempts that began long ago, and removes those that have ended.
func (w *watch) slow() map[string]bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	servers := map[string]bool{}
	for a := range w.attempts {
		if time.Since(a.since) < hangTimeout {
			continue
		}
		if a.server != "" {
			servers[a.server] = true
		}
		if a.ended {
			delete(w.attempts, a)
		}
	}
	return servers
}

// leave ends the contexts of all attempts at a server, which the next one has replaced.
func (w *watch) leave(server, next string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.attempts == nil {
		return
	}
	w.renew()
	w.last, w.left = next, server
	for a := range w.attempts {
		if a.server == server {
			a.cancel(errReplaced)
			delete(w.attempts, a)
		}
	}
}

// close ends the watch. No attempt may begin afterwards.
func (w *watch) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.attempts = nil
	w.cancel()
}
