package postgres_test

import (
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// proxy forwards TCP connections to a server. While it is locked, it forwards nothing, as if the
// network was cut.
type proxy struct {
	sync.RWMutex
	address string
	// connections is the number of connections that were made.
	connections atomic.Int64
}

// newProxy returns a proxy that accepts connections until the end of the test.
func newProxy(t *testing.T, server *cluster) *proxy {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, listener.Close()) })
	p := &proxy{address: listener.Addr().String()}
	go func() {
		for client, err := listener.Accept(); err == nil; client, err = listener.Accept() {
			p.connections.Add(1)
			backend, err := (&net.Dialer{}).DialContext(t.Context(), "unix", filepath.Join(server.dir(), ".s.PGSQL.5432"))
			if err != nil {
				_ = client.Close()
				continue
			}
			go p.forward(client, backend)
			go p.forward(backend, client)
		}
	}()
	return p
}

// forward forwards what it reads until one of the connections is closed.
func (p *proxy) forward(from, to net.Conn) {
	buffer := make([]byte, 64<<10)
	for n, err := from.Read(buffer); err == nil; n, err = from.Read(buffer) {
		p.RLock()
		_, err = to.Write(buffer[:n])
		p.RUnlock()
		if err != nil {
			break
		}
	}
	_, _ = from.Close(), to.Close()
}

// awaitProbes waits until more connections were made than a pool needs.
func (p *proxy) awaitProbes(t *testing.T) {
	t.Helper()
	enough := p.connections.Load() + 3
	require.Eventually(t, func() bool { return p.connections.Load() >= enough }, time.Minute, time.Millisecond)
}

// proxyDSN returns the connection string of servers that are tried in this order.
func proxyDSN(standby *cluster, proxies ...*proxy) string {
	var hosts, ports []string
	for _, p := range proxies {
		host, port, _ := net.SplitHostPort(p.address)
		hosts, ports = append(hosts, host), append(ports, port)
	}
	if standby != nil {
		hosts, ports = append(hosts, standby.dir()), append(ports, "5432")
	}
	return fmt.Sprintf("postgres://postgres@/postgres?host=%s&port=%s", strings.Join(hosts, ","), strings.Join(ports, ","))
}
