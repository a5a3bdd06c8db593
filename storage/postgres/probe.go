package postgres

import (
	"cmp"
	"context"
	"errors"
	"net"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// probeTimeout bounds a probe, as functions of the host application may block.
const probeTimeout = 10 * time.Second

// probe returns the address of the server that has replaced the one with an address, or "" if none
// has: a new connection to it is not answered in time, or it is no longer the primary, and a
// connection leads to another address. A server that answers is only slow.
func probe(ctx context.Context, pool *pgxpool.Config, server string) string {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	timeout := cmp.Or(pool.ConnConfig.ConnectTimeout, defaultConnectTimeout)
	_, err := connect(ctx, pool, min(timeout, hangTimeout), func(own *pgx.ConnConfig) {
		dial := own.DialFunc
		own.LookupFunc = func(context.Context, string) ([]string, error) { return []string{server}, nil }
		own.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
			if address != server { // sockets are not looked up
				return nil, errSkipped
			}
			return dial(ctx, network, address)
		}
	})
	if !isGone(err) {
		return ""
	}
	other, err := connect(skip(ctx, server), pool, timeout, func(others *pgx.ConnConfig) {
		others.DialFunc = skipping(others.DialFunc)
	})
	if err != nil || other == server {
		return ""
	}
	return other
}

// connect makes a connection as the pool does, but with another timeout and what set sets, and
// returns where it leads.
func connect(ctx context.Context, pool *pgxpool.Config, timeout time.Duration, set func(*pgx.ConnConfig)) (server string, err error) {
	config := pool.ConnConfig.Copy()
	config.ConnectTimeout = timeout
	if pool.BeforeConnect != nil {
		if err := pool.BeforeConnect(ctx, config); err != nil {
			return "", err
		}
	}
	set(config)
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
