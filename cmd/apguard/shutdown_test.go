package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/internal/test/testsize"
)

// The connections of requests that only wait for their clients are closed. Work that has
// begun is finished.
func TestServe_EndOfGrace(t *testing.T) {
	t.Parallel()
	listener := listenOnFreePort(t)
	ctx, stop := context.WithCancel(t.Context())
	started, proceed := make(chan struct{}), make(chan struct{})
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		started <- struct{}{}
		switch r.URL.Path {
		case "/upload":
			_, _ = io.Copy(io.Discard, r.Body)
		case "/download":
			for part := make([]byte, 1<<20); ; {
				if _, err := w.Write(part); err != nil {
					return
				}
			}
		case "/work":
			<-proceed
		}
	})
	served := make(chan error, 1)
	go func() { served <- serve(ctx, stopTimes{grace: time.Millisecond}, newSilentSite(listener, handler)) }()
	addr := listener.Addr().String()
	clients := []net.Conn{
		dial(t, addr, "POST /upload HTTP/1.1\r\nHost: test\r\nContent-Length: 10\r\n\r\na"),
		dial(t, addr, get("/download")),
		dial(t, addr, get("/work")),
		dial(t, addr, "GET /half"),
	}
	for range 3 {
		<-started
	}
	stop()
	for _, client := range clients {
		_, err := io.Copy(io.Discard, client)
		if err != nil {
			require.ErrorIs(t, err, syscall.ECONNRESET)
		}
	}
	select {
	case err := <-served:
		require.Fail(t, "the server stopped before its work was done", "%v", err)
	default:
	}
	close(proceed)
	require.NoError(t, <-served)
}

// A slow reader and an unfinished upload do not turn a stop into a failure.
func TestProgram_StopWithStragglers(t *testing.T) {
	t.Parallel()
	testsize.NotShort(t)
	cmd := subprocess(t, "serve", "-addr", "127.0.0.1:0", "-db", filledFile(t, 60_000), "-grace", "100ms")
	var log bytes.Buffer
	cmd.Stderr = &log
	s, process := startProgram(t, cmd)
	addr, _, _ := strings.Cut(strings.TrimPrefix(s.url, "http://"), "/")
	reader := dial(t, addr, post("apg_globex")+"Content-Length: 2\r\n\r\n{}")
	require.NoError(t, reader.(*net.TCPConn).SetReadBuffer(4096))
	line, err := bufio.NewReader(reader).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "HTTP/1.1 200 OK\r\n", line, "a reply is on its way")
	upload := dial(t, addr, post("apg_globex")+"Content-Length: 10\r\nExpect: 100-continue\r\n\r\n")
	line, err = bufio.NewReader(upload).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "HTTP/1.1 100 Continue\r\n", line, "the server reads a body")
	_, err = io.WriteString(upload, "{")
	require.NoError(t, err)

	require.NoError(t, process.Signal(syscall.SIGTERM))
	require.NoError(t, s.stop(), "the exit code is 0")
	require.Equal(t, 2, strings.Count(log.String(), "aborted=true"), log.String())
}

// A request that waits for a lock when the grace ends is stored, although its client gets no
// reply.
func TestServe_StepFinishes(t *testing.T) {
	t.Parallel()
	db := postgresSchema(t)
	s := startWith(t, func(c *config) { c.stop.grace = time.Millisecond }, "-db", db, "-seed", writeFile(t, seed))
	const key = "apg_globex"
	status, _ := request(t, s.url, key, oneChange) // records that the key is used
	require.Equal(t, http.StatusOK, status)
	connection, err := pgx.Connect(t.Context(), db)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, connection.Close(context.WithoutCancel(t.Context()))) })
	tx, err := connection.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), "LOCK TABLE apguard_allowlist IN EXCLUSIVE MODE")
	require.NoError(t, err)

	addr, _, _ := strings.Cut(strings.TrimPrefix(s.url, "http://"), "/")
	const body = `{"assets":[{"content":"https://kept.example"}]}`
	client := dial(t, addr, fmt.Sprintf("POST /api/v2/organization/assets HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n"+
		"X-API-KEY: %s\r\nContent-Length: %d\r\n\r\n%s", key, len(body), body))
	require.Eventually(t, func() bool {
		var waiting bool
		err := tx.QueryRow(t.Context(), "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE relation = 'apguard_allowlist'::regclass AND NOT granted)").Scan(&waiting)
		return err == nil && waiting
	}, time.Minute, time.Millisecond)

	stopped := make(chan error, 1)
	go func() { stopped <- s.stop() }()
	received, err := io.ReadAll(client)
	require.NoError(t, err)
	require.Empty(t, received, "the connection is closed at the end of the grace")
	require.NoError(t, tx.Rollback(t.Context()))
	require.NoError(t, <-stopped)
	var stored bool
	require.NoError(t, connection.QueryRow(t.Context(), "SELECT EXISTS (SELECT 1 FROM apguard_assets WHERE canonical = 'https://kept.example')").Scan(&stored))
	require.True(t, stored)
}
