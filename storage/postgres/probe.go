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
	config.ConnectTimeout = cmp.Or(config.ConnectTimeout, defaultConnectTimeout)
	if pool.BeforeConnect != nil && pool.BeforeConnect(ctx, config) != nil {
		return false
	}
	own := config.Copy()
	own.LookupFunc = func(context.Context, string) ([]string, error) { return []string{server}, nil }
	_, err := connect(ctx, own, func(address string) bool { return address == server })
	if !isGone(err) {
		return false
	}
	other, err := connect(ctx, config, func(address string) bool { return address != server })
	return err == nil && other != server
}

// connect makes a connection, but only tries the given addresses, and returns where it leads.
func connect(ctx context.Context, config *pgx.ConnConfig, tries func(address string) bool) (string, error) {
	dial := config.DialFunc
	config.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		if !tries(address) {
			return nil, errSkipped
		}
		return dial(ctx, network, address)
	}
	on, err := pgconn.ConnectConfig(ctx, &config.Config)
	if err != nil {
		return "", err
	}
	_ = on.Close(ctx)
	return on.Conn().RemoteAddr().String(), nil
}

// errSkipped is the error of connections to addresses that are not tried.
var errSkipped = errors.New("address skipped")

// isGone reports whether a connection failed because its server does not answer or is no longer the
// primary. A server that refuses a connection answers.
func isGone(err error) bool {
	return pgconn.Timeout(err) || errors.Is(err, syscall.EHOSTUNREACH) ||
		errors.Is(err, pgconn.ErrStandbyConnection) || errors.Is(err, pgconn.ErrReadOnlyConnection)
}
