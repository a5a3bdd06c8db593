package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// shutdownGrace is the time limit for requests in flight after a stop signal.
const shutdownGrace = 10 * time.Second

// newServer returns a server with limits on time and memory, so that slow clients cannot
// hold connections.
func newServer(handler http.Handler, logger *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       time.Minute,
		// The API sets a new deadline for each part of a reply, so a long changelog may
		// take longer.
		WriteTimeout: 30 * time.Second,
		IdleTimeout:  2 * time.Minute,
		// The longest useful query takes half of this.
		MaxHeaderBytes: 64 << 10,
		ErrorLog:       slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
}

// site is a server with its listener.
type site struct {
	listener net.Listener
	server   *http.Server
}

// serve serves the sites until ctx is canceled. Then it keeps serving for the drain time,
// and finally lets requests in flight finish.
func serve(ctx context.Context, drain time.Duration, sites ...site) error {
	failed := make(chan error, len(sites))
	for _, s := range sites {
		go func() { failed <- s.server.Serve(s.listener) }()
	}
	select {
	case err := <-failed:
		return errors.Join(err, closeAll(sites))
	case <-ctx.Done():
	}
	select {
	case err := <-failed:
		return errors.Join(err, closeAll(sites))
	case <-time.After(drain):
	}
	return shutdown(context.WithoutCancel(ctx), sites)
}

// shutdown stops the sites one after the other. It waits for requests in flight until
// shutdownGrace is over.
func shutdown(ctx context.Context, sites []site) error {
	grace, cancel := context.WithTimeout(ctx, shutdownGrace)
	defer cancel()
	for _, s := range sites {
		if err := s.server.Shutdown(grace); err != nil {
			return errors.Join(fmt.Errorf("shut down: %w", err), closeAll(sites))
		}
	}
	return nil
}

func closeAll(sites []site) error {
	errs := make([]error, len(sites))
	for i, s := range sites {
		errs[i] = s.server.Close()
	}
	return errors.Join(errs...)
}
