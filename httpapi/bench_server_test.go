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
	"github.com/apguard/apguard/internal/test/benchtest"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/sqlite"
)

// The benchmarks measure what HTTP adds to the store. Requests go over TCP on the loopback
// interface, with an API key that is looked up each time. The store is a SQLite file with
// the settings of sqlite.Open. The clients share the processors with the server.

// openFilled opens a new SQLite file with the seed, and with a number of assets on the
// allowlist of organization 1.
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

// client is a persistent connection. It does little work, because that counts as the
// server's.
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

// send sends a request and copies the body of the response to body. It fails on any other
// status.
func (c *client) send(request []byte, status int, body io.Writer) error {
	if _, err := c.conn.Write(request); err != nil {
		return err
	}
	response, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return err
	}
	defer response.Body.Close() //nolint:errcheck // the body is read to its end
	if response.StatusCode != status {
		return fmt.Errorf("status %s, want %d", response.Status, status)
	}
	_, err = io.Copy(body, response.Body)
	return err
}

// postOf returns a POST request in wire format.
func postOf(path, key, contentType, body string) []byte {
	return fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: test\r\nX-API-KEY: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s",
		path, key, contentType, len(body), body)
}

// jsonOf returns a valid POST request.
func jsonOf(path, body string) []byte { return postOf(path, acmeKey, "application/json", body) }

// getOf returns a GET request.
func getOf(path, key string) []byte {
	return fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: test\r\nX-API-KEY: %s\r\n\r\n", path, key)
}
