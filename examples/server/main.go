// Command server is a complete asset protection service, made of nothing but
// apguard's public packages. Run it without flags for a demo on a SQLite file in
// the working directory:
//
//	go run ./examples/server
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/httpapi"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return
	}
	fmt.Fprintln(os.Stderr, "server:", err)
	if errors.As(err, new(usageError)) {
		os.Exit(2)
	}
	os.Exit(1)
}

// run serves until the context ends, then lets the requests under way finish.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	config, err := parseFlags(args, stderr)
	if err != nil {
		return err
	}
	first, err := firstContent(config)
	if err != nil {
		return err
	}
	// Listening comes before the store: when the port is taken, nothing has been
	// written and no key has been made that nobody saw.
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", config.addr)
	if err != nil {
		return fmt.Errorf("-addr %s: %w", config.addr, err)
	}
	defer func() { _ = listener.Close() }() // the server closes it first, if there is one
	store, err := openStore(ctx, config.db)
	if err != nil {
		return fmt.Errorf("-db %s: %w", config.database(), err)
	}
	defer func() { err = errors.Join(err, store.Close()) }()

	// The handler too is made before the store is filled, for the same reason.
	handler, err := newHandler(apguard.New(store, apguard.Options{}), config.base, slog.New(slog.NewTextHandler(stderr, nil)))
	if err != nil {
		return err
	}
	baseURL := "http://" + listener.Addr().String() + config.base
	greeting, err := first.fill(ctx, store, baseURL)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(stdout, "%slistening on %s\n", greeting, baseURL); err != nil {
		return err
	}
	return serve(ctx, listener, handler)
}

// newHandler mounts the operations under base. All else is answered by the API
// too: methods that Mount does not register with its 405, other paths with its
// 404.
func newHandler(guard *apguard.Guard, base string, logger *slog.Logger) (http.Handler, error) {
	api, err := httpapi.New(guard, httpapi.APIKeys(guard.Accounts), httpapi.Options{Logger: logger})
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	api.Mount(mux, base)
	mux.Handle(base+"/", http.StripPrefix(base, api))
	if base != "" {
		mux.Handle("/", api.NotFound())
	}
	return mux, nil
}

// shutdownGrace is how long requests under way may take to finish.
const shutdownGrace = 10 * time.Second

func serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       time.Minute,
		IdleTimeout:       2 * time.Minute,
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownGrace)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		return errors.Join(fmt.Errorf("shut down: %w", err), server.Close())
	}
	return nil
}
