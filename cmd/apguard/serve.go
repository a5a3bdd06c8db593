package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"golang.org/x/net/netutil"
)

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
		// net/http allows 4 KiB more. A query of reports with two search texts of maximum
		// length still has space for 1,000 brand IDs of 12 digits. The deprecated
		// operation takes longer filters in its body.
		MaxHeaderBytes: 16 << 10,
		ErrorLog:       slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
}

// site is a server with its listener.
type site struct {
	listener    net.Listener
	server      *http.Server
	connections *connections
}

// newSite returns a site whose server has at most maxConnections open connections.
func newSite(listener net.Listener, handler http.Handler, maxConnections int, logger *slog.Logger) site {
	s := site{netutil.LimitListener(listener, maxConnections), newServer(handler, logger), newConnections(maxConnections)}
	s.connections.limit(s.server)
	return s
}

// stopTimes are the times that a server takes after a stop signal.
type stopTimes struct {
	// drain is how long the server keeps serving, and grace how long it then waits for
	// requests in flight.
	drain, grace time.Duration
}

// serve serves the sites until ctx is canceled. Then it keeps serving for the drain time,
// and finally lets requests in flight finish.
func serve(ctx context.Context, stop stopTimes, sites ...site) error {
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
	case <-time.After(stop.drain):
	}
	return shutdown(context.WithoutCancel(ctx), stop.grace, sites)
}

// shutdown stops the sites one after the other. It waits for requests in flight until the
// grace is over. Then it closes the connections of the others, which do not read their
// reply or have not sent all of their body. A request that works on the database still
// finishes its work.
func shutdown(ctx context.Context, grace time.Duration, sites []site) error {
	ctx, cancel := context.WithTimeout(ctx, grace)
	defer cancel()
	for _, s := range sites {
		if err := s.server.Shutdown(ctx); err != nil && ctx.Err() == nil {
			return errors.Join(err, closeAll(sites))
		}
	}
	err := closeAll(sites)
	for _, s := range sites {
		s.connections.drain()
	}
	return err
}

func closeAll(sites []site) error {
	errs := make([]error, len(sites))
	for i, s := range sites {
		errs[i] = s.server.Close()
	}
	return errors.Join(errs...)
}
