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

// shutdownGrace is how long requests under way may take to finish.
const shutdownGrace = 10 * time.Second

// newServer returns a server in which no client can keep a connection, or much
// memory, by being slow.
func newServer(handler http.Handler, logger *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       time.Minute,
		// The API has a deadline of its own for each part of a reply, so that a long
		// changelog outlives this one.
		WriteTimeout: 30 * time.Second,
		IdleTimeout:  2 * time.Minute,
		// The longest query with a meaning takes half of it.
		MaxHeaderBytes: 64 << 10,
		ErrorLog:       slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
}

// site is a server and where it listens.
type site struct {
	listener net.Listener
	server   *http.Server
}

// serve serves the sites until the context ends, goes on for as long as drain says,
// and then lets the requests under way finish.
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

// shutdown ends the sites, one after the other, when their requests are finished or
// the grace is over.
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
