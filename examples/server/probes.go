package main

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"time"
)

// The paths of the probes, which no operation has.
const (
	livePath  = "/livez"
	readyPath = "/readyz"
)

// pingTimeout is how long the store may take to answer.
const pingTimeout = 2 * time.Second

// probes answers whoever watches over the server: whether it must be started anew,
// and whether requests may be sent to it. Why it is not ready is told to the log
// alone.
type probes struct {
	// ping returns nil when the store answers.
	ping    func(context.Context) error
	timeout time.Duration
	// stopping is closed when the server begins to stop.
	stopping <-chan struct{}
	logger   *slog.Logger
}

// mount puts the probes onto the mux, for whatever path the operations have.
func (p probes) mount(mux *http.ServeMux) {
	mux.HandleFunc("GET "+livePath, func(w http.ResponseWriter, _ *http.Request) {
		tell(w, http.StatusOK, "alive")
	})
	mux.HandleFunc("GET "+readyPath, p.ready)
}

// leaving has clients leave their connections, once the server begins to stop, so
// that none has a request on the way when the connections are closed.
func (p probes) leaving(next http.Handler) http.Handler {
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
		tell(w, http.StatusServiceUnavailable, "stopping")
		return
	default:
	}
	ctx, cancel := context.WithTimeout(r.Context(), p.timeout)
	defer cancel()
	if err := p.ping(ctx); err != nil {
		if r.Context().Err() == nil { // else it is the client who did not wait
			p.logger.WarnContext(ctx, "not ready", slog.Any("error", err))
		}
		tell(w, http.StatusServiceUnavailable, "not ready")
		return
	}
	tell(w, http.StatusOK, "ready")
}

// tell answers a probe. The status is what counts; the word is for people.
func tell(w http.ResponseWriter, status int, word string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, word+"\n") // fails when the client is gone
}
