package postgres_test

import (
	"context"
	"net"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage/postgres"
)

// fault is what happens to a connection when pgx writes to it.
type fault int

const (
	noFault fault = iota
	// closeBefore closes the connection before the data is sent.
	closeBefore
	// closeAfter closes the connection after the data was sent, before the answer.
	closeAfter
)

// faults injects faults into connections.
type faults struct {
	mu sync.Mutex
	// onWrite is called before each write and returns the fault, if it is set.
	onWrite func(data []byte) fault
}

func (f *faults) set(onWrite func(data []byte) fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.onWrite = onWrite
}

func (f *faults) faultFor(data []byte) fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.onWrite == nil {
		return noFault
	}
	return f.onWrite(data)
}

// faultConn is a connection with faults.
type faultConn struct {
	net.Conn
	faults *faults
}

func (c faultConn) Write(data []byte) (int, error) {
	if endsConnection(data) {
		return c.Conn.Write(data)
	}
	switch c.faults.faultFor(data) {
	case closeBefore:
		_ = c.Close()
		return len(data), nil
	case closeAfter:
		n, err := c.Conn.Write(data)
		_ = c.Close()
		return n, err
	default:
		return c.Conn.Write(data)
	}
}

// endsConnection reports whether data is a cancel request or Terminate. pgx sends them in
// the background at any time after a connection was closed.
func endsConnection(data []byte) bool {
	const cancelRequest = "\x04\xd2\x16\x2e" // after the length
	return string(data) == "X\x00\x00\x00\x04" || len(data) >= 8 && string(data[4:8]) == cancelRequest
}

// openWithFaults returns a store on connections with faults.
func openWithFaults(t *testing.T, dsn string) (*postgres.Store, *faults) {
	t.Helper()
	host, faults := poolWithFaults(t, dsn)
	require.NoError(t, postgres.Migrate(t.Context(), host))
	store, err := postgres.New(t.Context(), host, postgres.Options{})
	require.NoError(t, err)
	return store, faults
}

// poolWithFaults returns a pool whose connections have faults.
func poolWithFaults(t *testing.T, dsn string) (*pgxpool.Pool, *faults) {
	t.Helper()
	config, err := pgxpool.ParseConfig(withParameter(t, dsn, "sslmode", "disable"))
	require.NoError(t, err)
	faults := &faults{}
	config.MaxConns = 2
	config.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		var dialer net.Dialer
		connection, err := dialer.DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return faultConn{connection, faults}, nil
	}
	host, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(host.Close)
	return host, faults
}
