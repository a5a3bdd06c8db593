package postgres

import (
	"context"
	"net"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// hangTimeout is how long a step may use a connection until the store finds out whether another
// server has taken over.
const hangTimeout = 2 * time.Second

// failover notices that another server has become the primary while a connection still waits for
// the old one, which may be stopped or cut off and never answers. A new connection then leads to
// another address. It is disabled if new connections may lead to any server.
type failover struct {
	config *pgx.ConnConfig

	mu sync.Mutex
	// primary is the address that the last connection led to, at the time connected.
	primary   string
	connected time.Time
}

func newFailover(config *pgx.ConnConfig) *failover {
	return &failover{config: config}
}

// enabled reports whether new connections lead to a server that can be written.
func (f *failover) enabled() bool { return f.config.ValidateConnect != nil }

// watch closes the connection if another server takes over, until the returned function is called,
// even if that is after the end of ctx.
func (f *failover) watch(ctx context.Context, on *pgx.Conn) (stop func()) {
	if !f.enabled() || len(f.config.Fallbacks) == 0 {
		return func() {}
	}
	connection := on.PgConn().Conn()
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	timer := time.AfterFunc(hangTimeout, func() { f.closeIfReplaced(ctx, connection) })
	return func() {
		timer.Stop()
		cancel()
	}
}

// closeIfReplaced closes the connection once new ones lead to another server.
func (f *failover) closeIfReplaced(ctx context.Context, connection net.Conn) {
	ticker := time.NewTicker(hangTimeout)
	defer ticker.Stop()
	for {
		if primary := f.currentPrimary(ctx); primary != "" && primary != connection.RemoteAddr().String() {
			_ = connection.Close()
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// currentPrimary returns the address of the server that a new connection leads to, or "" if there
// is none. Steps that ask at the same time share a connection.
func (f *failover) currentPrimary(ctx context.Context) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if time.Since(f.connected) < hangTimeout {
		return f.primary
	}
	f.primary = ""
	if on, err := pgx.ConnectConfig(ctx, f.config); err == nil {
		f.primary = on.PgConn().Conn().RemoteAddr().String()
		closeNow(ctx, on)
	}
	f.connected = time.Now()
	return f.primary
}
