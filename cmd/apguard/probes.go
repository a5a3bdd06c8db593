package main

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"time"

	"golang.org/x/sync/singleflight"
)

// The paths of the probes. No operation uses them.
const (
	livePath  = "/livez"
	readyPath = "/readyz"
)

// pingTimeout is the time limit of the store for a readiness check.
const pingTimeout = 2 * time.Second

// probes are the endpoints for a supervisor and a load balancer: the process is alive, and
// the server is ready for requests. The reason why it is not ready is only logged.
type probes struct {
	// ping returns nil if the store answers.
	ping    func(context.Context) error
	timeout time.Duration
	// pings lets all probes at the same time share one call of ping.
	pings *singleflight.Group
	// stopping is closed when the server receives a stop signal.
	stopping <-chan struct{}
	logger   *slog.Logger
}

// mount registers the probes.
func (p probes) mount(mux *http.ServeMux) {
	p.pings = new(singleflight.Group)
	mux.HandleFunc("GET "+livePath, func(w http.ResponseWriter, _ *http.Request) {
		reply(w, http.StatusOK, "alive")
	})
	mux.HandleFunc("GET "+readyPath, p.ready)
}

// closeConnections asks clients to close their connections once the server is stopping, so
// that no request is in flight when the server closes them.
func (p probes) closeConnections(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-p.stopping:
			w.Header().Set("Connection", "close")
		default:
		}
		next.ServeHTTP(w, r)
	})
}

func (p probes) ready(w http.ResponseWriter, r *http.Request) {
	select {
	case <-p.stopping:
		reply(w, http.StatusServiceUnavailable, "stopping")
		return
	default:
	}
	// A client that has closed its half of the connection still reads the answer.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), p.timeout)
	defer cancel()
	if _, err, _ := p.pings.Do("", func() (any, error) { return nil, p.ping(ctx) }); err != nil {
		p.logger.WarnContext(ctx, "not ready", slog.Any("error", err))
		reply(w, http.StatusServiceUnavailable, "not ready")
		return
	}
	reply(w, http.StatusOK, "ready")
}

// reply answers a probe. The status is for programs, the word is for people.
func reply(w http.ResponseWriter, status int, word string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, word+"\n") // fails if the client has disconnected
}
