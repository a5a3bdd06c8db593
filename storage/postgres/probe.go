package postgres

import (
	"cmp"
	"context"
	"errors"
	"net"
	"syscall"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// probe reports whether the server with an address was replaced: a new connection to it is not
// answered in time, or it is no longer the primary, and a connection leads to another address.
// A server that answers is only slow.
func probe(ctx context.Context, pool *pgxpool.Config, server string) bool {
	config := pool.ConnConfig.Copy()
	config.ConnectTimeout = min(cmp.Or(config.ConnectTimeout, hangTimeout), hangTimeout)
	if pool.BeforeConnect != nil && pool.BeforeConnect(ctx, config) != nil {
		return false
	}
	own := config.Copy()
	own.LookupFunc = func(context.Context, string) ([]string, error) { return []string{server}, nil }
	own.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		if address != server { // sockets are not looked up
			return nil, errSkipped
		}
		return config.DialFunc(ctx, network, address)
	}
	if _, err := connect(ctx, own); !isGone(err) {
		return false
	}
	others := config.Copy()
	others.DialFunc = skipping(config.DialFunc)
	other, err := connect(skip(ctx, server), others)
	return err == nil && other != server
}

// connect makes a connection and returns where it leads.
func connect(ctx context.Context, config *pgx.ConnConfig) (server string, err error) {
	on, err := pgconn.ConnectConfig(ctx, &config.Config)
	if err != nil {
		return "", err
	}
	_ = on.Close(ctx)
	return serverOf(on), nil
}

// isGone reports whether a connection failed because its server does not answer or is no longer the
// primary. A server that refuses a connection answers.
func isGone(err error) bool {
	return pgconn.Timeout(err) || errors.Is(err, syscall.EHOSTUNREACH) ||
		errors.Is(err, pgconn.ErrStandbyConnection) || errors.Is(err, pgconn.ErrReadOnlyConnection)
}
