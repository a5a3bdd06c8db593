package httpapi_test

import (
	"bufio"
	"database/sql"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	_ "github.com/mattn/go-sqlite3"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/sqlite"
)

// smallBufferListener has connections with small buffers.
type smallBufferListener struct{ net.Listener }

func (l smallBufferListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return conn, conn.(*net.TCPConn).SetWriteBuffer(4 << 10)
}

// manyChanges is a seed with more changes than the buffers of a connection hold.
func manyChanges() storage.Seed {
	s := seed()
	for i := range 2_000 {
		s.Assets = append(s.Assets, storage.SeedAsset{
			Content: "https://site-" + strconv.Itoa(i) + ".example.com", Status: asset.StatusBlocked, ChangedAt: now,
		})
	}
	return s
}

// slowDatabase is a store with many changes, and its database.
func slowDatabase(t *testing.T) (*sql.DB, storage.Store) {
	t.Helper()
	db, err := sql.Open("sqlite3", filepath.Join(t.TempDir(), "slow.db")+"?_foreign_keys=1&_busy_timeout=5000")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	require.NoError(t, sqlite.Migrate(t.Context(), db))
	store, err := sqlite.New(t.Context(), db, sqlite.Options{})
	require.NoError(t, err)
	require.NoError(t, store.Import(t.Context(), manyChanges()))
	return db, store
}

// TestSlowReader_IsDisconnected has clients that read a byte at a time, each within the
// timeout of a part. It is not parallel, because it counts goroutines.
func TestSlowReader_IsDisconnected(t *testing.T) { //nolint:paralleltest // see above
	const clients = 10
	_, store := slowDatabase(t)
	before := runtime.NumGoroutine()
	t.Run("clients", func(t *testing.T) {
		listener := listenTCP(t)
		e := serveOn(t, smallBufferListener{listener}, setup{
			options: httpapi.Options{ClientTimeout: 50 * time.Millisecond, MaxCostly: 4 * clients},
			wrap:    func(storage.Store) storage.Store { return store },
		})
		var slow sync.WaitGroup
		for range clients {
			client := e.dial(t)
			require.NoError(t, client.SetReadBuffer(4<<10))
			_, err := io.WriteString(client, head(changelogPath, acmeKey)+"Content-Length: 2\r\n\r\n{}")
			require.NoError(t, err)
			slow.Go(func() { readByteByByte(e, client, clients) })
		}
		slow.Wait()
		e.requireNoFailures(t, clients)
		for _, info := range e.observer.requests {
			require.True(t, info.Aborted)
			require.Equal(t, http.StatusOK, info.Status)
			require.False(t, info.ClientGone, "the client is slow, not gone")
		}
	})
	for end := time.Now().Add(time.Minute); runtime.NumGoroutine() > before && time.Now().Before(end); {
		runtime.Gosched() // ending goroutines need time
	}
	require.LessOrEqual(t, runtime.NumGoroutine(), before, "no goroutine is left")
}

// TestSlowReader_HoldsNoStoreResources has clients that stop reading before the next page
// of the changelog is read.
func TestSlowReader_HoldsNoStoreResources(t *testing.T) {
	t.Parallel()
	const clients = 10
	db, store := slowDatabase(t)
	listener := listenTCP(t)
	e := serveOn(t, smallBufferListener{listener}, setup{
		options: httpapi.Options{ClientTimeout: time.Hour, MaxCostly: 4 * clients},
		wrap:    func(storage.Store) storage.Store { return store },
	})
	for range clients {
		client := e.dial(t)
		require.NoError(t, client.SetReadBuffer(4<<10))
		_, err := io.WriteString(client, head(changelogPath, acmeKey)+"Content-Length: 2\r\n\r\n{}")
		require.NoError(t, err)
		_, err = client.Read(make([]byte, 1))
		require.NoError(t, err, "the response has begun")
	}
	require.Zero(t, e.observed(), "no request is finished")
	// A page is read completely before its first part is sent. The next page is not read
	// until all parts are sent.
	require.Zero(t, db.Stats().InUse)
	_, err := e.guard.SetStatus(t.Context(), "https://meanwhile.example.com", asset.StatusBlocked, asset.Origin{})
	require.NoError(t, err, "the store can be written")
}

// readByteByByte reads a byte at intervals, until a number of requests is finished.
func readByteByByte(e liveServer, client net.Conn, requests int) {
	one := make([]byte, 1)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for range tick.C {
		_, err := client.Read(one)
		if err != nil || e.observed() == requests {
			return
		}
	}
}

// deadlineListener has connections that report writes without a deadline.
type deadlineListener struct {
	net.Listener
	unlimited chan string
}

func (l deadlineListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &deadlineConn{Conn: conn, unlimited: l.unlimited}, nil
}

type deadlineConn struct {
	net.Conn
	limited   bool
	unlimited chan string
}

func (c *deadlineConn) SetWriteDeadline(at time.Time) error {
	c.limited = !at.IsZero()
	return c.Conn.SetWriteDeadline(at)
}

func (c *deadlineConn) Write(b []byte) (int, error) {
	if !c.limited {
		c.unlimited <- string(b)
	}
	return c.Conn.Write(b)
}

// TestSlowReader_EveryWriteHasADeadline includes what net/http writes after the last part
// of a stream.
func TestSlowReader_EveryWriteHasADeadline(t *testing.T) {
	t.Parallel()
	listener := listenTCP(t)
	unlimited := make(chan string, 100)
	e := serveOn(t, deadlineListener{listener, unlimited}, setup{})
	fill(t, e.testServer, 1700)
	client := e.dial(t)
	in := bufio.NewReader(client)
	for _, said := range []string{
		head(changelogPath, acmeKey) + "Content-Length: 2\r\n\r\n{}",
		head(disputePath, acmeKey) + "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}",
		head(assetsPath, acmeKey) + "Content-Length: 2\r\n\r\n{}",
		"GET " + newReports + " HTTP/1.1\r\nHost: test\r\nX-API-KEY: " + acmeKey + "\r\n\r\n",
	} {
		_, err := io.WriteString(client, said)
		require.NoError(t, err)
		resp, err := http.ReadResponse(in, nil)
		require.NoError(t, err)
		if resp.StatusCode == http.StatusContinue {
			resp, err = http.ReadResponse(in, nil)
			require.NoError(t, err)
		}
		_, err = io.Copy(io.Discard, resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
	}
	require.Empty(t, unlimited)

	_, err := io.WriteString(client, "GET /of/the/host HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n")
	require.NoError(t, err)
	require.Equal(t, []int{404}, statuses(in))
	require.Len(t, unlimited, 1, "net/http removes the deadline before the next request")
}
