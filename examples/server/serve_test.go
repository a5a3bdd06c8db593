package main

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// listenLocally returns a listener on a free port.
func listenLocally(t *testing.T) net.Listener {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	return listener
}

// dial connects to a server and says something. The connection is closed at the end
// of the test.
func dial(t *testing.T, addr, said string) net.Conn {
	t.Helper()
	client, err := new(net.Dialer).DialContext(t.Context(), "tcp", addr)
	require.NoError(t, err)
	t.Cleanup(func() { _ = client.Close() })
	say(t, client, said)
	return client
}

// say says something, for which and for whose reply there is a minute.
func say(t *testing.T, client net.Conn, said string) {
	t.Helper()
	require.NoError(t, client.SetDeadline(time.Now().Add(time.Minute)))
	_, err := io.WriteString(client, said)
	require.NoError(t, err)
}

// statusOf reads a whole reply and returns its status.
func statusOf(t *testing.T, in *bufio.Reader) int {
	t.Helper()
	resp, err := http.ReadResponse(in, nil)
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	return resp.StatusCode
}

// probed is a handler with the probes of a server whose store answers, and with one
// other path.
func probed(stopping <-chan struct{}) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/tea", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	probes{
		ping:     func(context.Context) error { return nil },
		timeout:  time.Minute,
		stopping: stopping,
		logger:   slog.New(slog.DiscardHandler),
	}.mount(mux)
	return mux
}

func quiet(handler http.Handler) *http.Server {
	return newServer(handler, slog.New(slog.DiscardHandler))
}

func TestRequestsUnderWayAreFinished(t *testing.T) {
	t.Parallel()
	listener := listenLocally(t)
	ctx, stop := context.WithCancel(t.Context())
	begun, goOn := make(chan struct{}), make(chan struct{})
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun <- struct{}{}
		<-goOn
		probed(ctx.Done()).ServeHTTP(w, r)
	})
	served := make(chan error, 1)
	go func() { served <- serve(ctx, 0, site{listener, quiet(handler)}) }()

	ask := func(path string) *bufio.Reader {
		client := dial(t, listener.Addr().String(), "GET "+path+" HTTP/1.1\r\nHost: test\r\n\r\n")
		<-begun
		return bufio.NewReader(client)
	}
	tea, ready, live := ask("/tea"), ask("/readyz"), ask("/livez")
	stop()
	for range 3 {
		goOn <- struct{}{}
	}
	require.Equal(t, http.StatusTeapot, statusOf(t, tea))
	require.Equal(t, http.StatusServiceUnavailable, statusOf(t, ready), "the server stops")
	require.Equal(t, http.StatusOK, statusOf(t, live), "and lives until it has")
	require.NoError(t, <-served)
}

func TestAServerThatDrainsGoesOnAndIsNotReady(t *testing.T) {
	t.Parallel()
	listener := listenLocally(t)
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- serve(ctx, time.Hour, site{listener, quiet(probed(ctx.Done()))}) }()
	addr := listener.Addr().String()
	ask := func(path string) int {
		return statusOf(t, bufio.NewReader(dial(t, addr, "GET "+path+" HTTP/1.1\r\nHost: test\r\n\r\n")))
	}
	require.Equal(t, http.StatusOK, ask("/readyz"))
	stop()
	require.Equal(t, http.StatusServiceUnavailable, ask("/readyz"))
	require.Equal(t, http.StatusOK, ask("/livez"))
	require.Equal(t, http.StatusTeapot, ask("/tea"), "whoever has not looked elsewhere yet is served")

	require.NoError(t, listener.Close())
	require.ErrorIs(t, <-served, net.ErrClosed, "a server that fails does not drain")
}

func TestWhenOneSiteFailsAllEnd(t *testing.T) {
	t.Parallel()
	first, second := listenLocally(t), listenLocally(t)
	served := make(chan error, 1)
	go func() {
		served <- serve(t.Context(), time.Hour, site{first, quiet(http.NotFoundHandler())}, site{second, quiet(http.NotFoundHandler())})
	}()
	other := bufio.NewReader(dial(t, first.Addr().String(), "GET / HTTP/1.1\r\nHost: test\r\n\r\n"))
	require.Equal(t, http.StatusNotFound, statusOf(t, other))
	require.NoError(t, second.Close())
	require.ErrorIs(t, <-served, net.ErrClosed)
	_, err := other.ReadByte()
	require.ErrorIs(t, err, io.EOF, "the connections of the other are closed")
}
