//go:build cgo

package httpapi_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/allowlist"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/internal/benchtest"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/sqlite"
)

// The benchmarks say what HTTP adds to the store: requests go over TCP on the
// loopback interface and bring a key, which is looked up each time, and the store
// is a SQLite file as sqlite.Open makes it, so that an answered request is on the
// disk. The clients run on the same processors as the server and their work counts
// as the server's.

// openFilled opens a new SQLite file with the seed and that many assets more, whole
// batches of them, which organization 1 allows.
func openFilled(b *testing.B, assets int) *sqlite.Store {
	b.Helper()
	store, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "apguard.db"), sqlite.Options{})
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, store.Close()) })
	require.NoError(b, store.Import(b.Context(), seed()))
	benchtest.Fill(b, store, assets/allowlist.MaxItems)
	return store
}

// listen serves the API on a store and returns its address.
func listen(b *testing.B, store storage.Store) string {
	b.Helper()
	guard := apguard.New(store, apguard.Options{})
	api, err := httpapi.New(guard, httpapi.APIKeys(guard.Keys), httpapi.Options{})
	require.NoError(b, err)
	mux := http.NewServeMux()
	api.Mount(mux, base)
	server := httptest.NewServer(mux)
	b.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

// client is one connection, which is kept alive. It does little more than write
// and read, as what it does counts as the server's.
type client struct {
	conn net.Conn
	in   *bufio.Reader
}

func dial(b *testing.B, address string) *client {
	b.Helper()
	conn, err := new(net.Dialer).DialContext(b.Context(), "tcp", address)
	require.NoError(b, err)
	b.Cleanup(func() { _ = conn.Close() }) // the server may have been the first
	return &client{conn: conn, in: bufio.NewReaderSize(conn, 64<<10)}
}

// send sends a request and writes the body of the reply to body. A reply with
// another status is an error.
func (c *client) send(request []byte, status int, body io.Writer) error {
	if _, err := c.conn.Write(request); err != nil {
		return err
	}
	reply, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return err
	}
	defer reply.Body.Close() //nolint:errcheck // it has been read to its end, or that has failed
	if reply.StatusCode != status {
		return fmt.Errorf("the reply has the status %s, and not %d", reply.Status, status)
	}
	_, err = io.Copy(body, reply.Body)
	return err
}

// postOf returns a request with a body as it goes over the connection.
func postOf(path, key, contentType, body string) []byte {
	return fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: test\r\nX-API-KEY: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s",
		path, key, contentType, len(body), body)
}

// jsonOf returns a request that is accepted.
func jsonOf(path, body string) []byte { return postOf(path, acmeKey, "application/json", body) }

// getOf returns a request without a body.
func getOf(path, key string) []byte {
	return fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: test\r\nX-API-KEY: %s\r\n\r\n", path, key)
}
