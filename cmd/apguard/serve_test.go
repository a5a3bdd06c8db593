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

// listenOnFreePort returns a listener on a free port.
func listenOnFreePort(t *testing.T) net.Listener {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	return listener
}

// dial connects to a server and sends a text. The connection is closed at the end of the
// test.
func dial(t *testing.T, addr, text string) net.Conn {
	t.Helper()
	client, err := new(net.Dialer).DialContext(t.Context(), "tcp", addr)
	require.NoError(t, err)
	t.Cleanup(func() { _ = client.Close() })
	write(t, client, text)
	return client
}

// write sends a text. It sets a deadline of one minute for this and for the reply.
func write(t *testing.T, client net.Conn, text string) {
	t.Helper()
	require.NoError(t, client.SetDeadline(time.Now().Add(time.Minute)))
	_, err := io.WriteString(client, text)
	require.NoError(t, err)
}

// statusOf reads a reply and returns its status.
func statusOf(t *testing.T, in *bufio.Reader) int {
	t.Helper()
	resp, err := http.ReadResponse(in, nil)
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	return resp.StatusCode
}

// handlerWithProbes returns a handler with the probes of a server whose store answers, and
// with the path /tea.
func handlerWithProbes(stopping <-chan struct{}) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/tea", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	probes{
		ping:     func(context.Context) error { return nil },
		timeout:  time.Minute,
		stopping: stopping,
		logger:   silentLogger(),
	}.mount(mux)
	return mux
}

func silentLogger() *slog.Logger { return slog.New(slog.DiscardHandler) }

// newSilentSite returns a site for at most 100 connections.
func newSilentSite(listener net.Listener, handler http.Handler) site {
	return newSite(listener, handler, 100, silentLogger())
}

func newSilentServer(handler http.Handler) *http.Server {
	return newServer(handler, silentLogger())
}

func TestServe_FinishesRequests(t *testing.T) {
	t.Parallel()
	listener := listenOnFreePort(t)
	ctx, stop := context.WithCancel(t.Context())
	started, proceed := make(chan struct{}), make(chan struct{})
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		started <- struct{}{}
		<-proceed
		handlerWithProbes(ctx.Done()).ServeHTTP(w, r)
	})
	served := make(chan error, 1)
	go func() { served <- serve(ctx, stopTimes{grace: time.Minute}, newSilentSite(listener, handler)) }()

	ask := func(path string) *bufio.Reader {
		client := dial(t, listener.Addr().String(), "GET "+path+" HTTP/1.1\r\nHost: test\r\n\r\n")
		<-started
		return bufio.NewReader(client)
	}
	tea, ready, live := ask("/tea"), ask("/readyz"), ask("/livez")
	stop()
	for range 3 {
		proceed <- struct{}{}
	}
	require.Equal(t, http.StatusTeapot, statusOf(t, tea))
	require.Equal(t, http.StatusServiceUnavailable, statusOf(t, ready), "a stopping server is not ready")
	require.Equal(t, http.StatusOK, statusOf(t, live), "a stopping server is alive")
	require.NoError(t, <-served)
}

func TestServe_Drain(t *testing.T) {
	t.Parallel()
	listener := listenOnFreePort(t)
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() {
		served <- serve(ctx, stopTimes{drain: time.Hour, grace: time.Minute}, newSilentSite(listener, handlerWithProbes(ctx.Done())))
	}()
	addr := listener.Addr().String()
	ask := func(path string) int {
		return statusOf(t, bufio.NewReader(dial(t, addr, "GET "+path+" HTTP/1.1\r\nHost: test\r\n\r\n")))
	}
	require.Equal(t, http.StatusOK, ask("/readyz"))
	stop()
	require.Equal(t, http.StatusServiceUnavailable, ask("/readyz"))
	require.Equal(t, http.StatusOK, ask("/livez"))
	require.Equal(t, http.StatusTeapot, ask("/tea"), "requests are served during the drain")

	require.NoError(t, listener.Close())
	require.ErrorIs(t, <-served, net.ErrClosed, "a failure ends the drain")
}

func TestServe_SiteFails(t *testing.T) {
	t.Parallel()
	first, second := listenOnFreePort(t), listenOnFreePort(t)
	served := make(chan error, 1)
	go func() {
		served <- serve(t.Context(), stopTimes{}, newSilentSite(first, http.NotFoundHandler()), newSilentSite(second, http.NotFoundHandler()))
	}()
	other := bufio.NewReader(dial(t, first.Addr().String(), "GET / HTTP/1.1\r\nHost: test\r\n\r\n"))
	require.Equal(t, http.StatusNotFound, statusOf(t, other))
	require.NoError(t, second.Close())
	require.ErrorIs(t, <-served, net.ErrClosed)
	_, err := other.ReadByte()
	require.ErrorIs(t, err, io.EOF, "the other site closes its connections")
}
