package postgres

import (
	"context"
	"errors"
	"net"

	"github.com/jackc/pgx/v5/pgconn"
)

// errSkipped is the error of connections to servers that are not tried.
var errSkipped = errors.New("server skipped")

// skippedKey is the key of the server that new connections with a context skip.
type skippedKey struct{}

// skip returns a context with which new connections skip a server. If server is "", they skip none.
// The caller must try again without it if the error of a connection matches errSkipped: the other
// servers accepted none.
func skip(ctx context.Context, server string) context.Context {
	return context.WithValue(ctx, skippedKey{}, server)
}

// skipping returns a function that skips the server of its context, and otherwise dials.
func skipping(dial pgconn.DialFunc) pgconn.DialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		if ctx.Value(skippedKey{}) == address {
			return nil, errSkipped
		}
		return dial(ctx, network, address)
	}
}

// serverOf returns the address of the server of a connection, or "" if it is unknown.
func serverOf(on *pgconn.PgConn) string {
	if server := on.Conn().RemoteAddr(); server != nil {
		return server.String()
	}
	return ""
}
