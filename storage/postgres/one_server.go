package postgres

import (
	"context"
	"errors"
	"net"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// errElsewhere is the error of a connection to a server other than that of the pool.
var errElsewhere = errors.New("the connections lead to another server")

// oneServer makes the connections of a pool lead to one server while that accepts some. Of several
// servers, one can be behind another, so what is read could go back in time.
type oneServer struct {
	dial    pgconn.DialFunc
	current atomic.Pointer[net.Addr]
	// renew closes the connections to the server before.
	renew func()
}

// keepOneServer changes the configuration. The caller sets renew before the second connection.
func keepOneServer(config *pgxpool.Config) *oneServer {
	s := &oneServer{dial: config.ConnConfig.DialFunc, renew: func() {}}
	config.ConnConfig.DialFunc = s.connect
	config.AfterConnect = s.use
	return s
}

// connect is a pgconn.DialFunc.
func (s *oneServer) connect(ctx context.Context, network, address string) (net.Conn, error) {
	if current := s.current.Load(); current != nil && (*current).String() != address && s.accepts(ctx, *current) {
		return nil, errElsewhere
	}
	return s.dial(ctx, network, address)
}

func (s *oneServer) accepts(ctx context.Context, server net.Addr) bool {
	on, err := s.dial(ctx, server.Network(), server.String())
	if err != nil {
		return false
	}
	_ = on.Close()
	return true
}

// use is called after each connection.
func (s *oneServer) use(_ context.Context, on *pgx.Conn) error {
	server := on.PgConn().Conn().RemoteAddr()
	if before := s.current.Load(); before != nil && (*before).String() != server.String() {
		s.renew()
	}
	s.current.Store(&server)
	return nil
}

// leave lets the next connection lead to any server, after one could not be made.
func (s *oneServer) leave() {
	if s.current.Swap(nil) != nil {
		s.renew()
	}
}
