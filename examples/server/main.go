// Command server is a complete asset protection service, made of nothing but
// apguard's public packages. Run it without flags for a demo on a SQLite file in
// the working directory:
//
//	go run ./examples/server
//
// The keys of a database are made, listed, rotated and revoked with
//
//	go run ./examples/server keys
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

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/dispute"
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

// run carries out a command on keys, or serves until the context ends, then lets the requests under way finish.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) > 0 && args[0] == "keys" {
		return runKeys(ctx, args[1:], stdout, stderr)
	}
	config, err := parseFlags(args, stderr)
	if err != nil {
		return err
	}
	return runServer(ctx, config, stdout, stderr)
}

// runServer serves until the context ends.
func runServer(ctx context.Context, config config, stdout, stderr io.Writer) (err error) {
	first, err := firstContent(config)
	if err != nil {
		return err
	}
	logger := slog.New(slog.NewTextHandler(stderr, nil))
	var lists []dispute.ExternalList
	if config.phishlist != "" {
		list, err := openList(ctx, config.phishlist, logger)
		if err != nil {
			return err
		}
		lists = append(lists, list)
		defer watchList(ctx, list, config.listInterval, logger)()
	}
	// Listening comes before the store: when the port is taken, nothing has been
	// written and no key has been made that nobody saw.
	listener, err := listen(ctx, "-addr", config.addr)
	if err != nil {
		return err
	}
	defer func() { _ = listener.Close() }() // the server closes it first, if there is one
	var monitor net.Listener
	if config.metrics != "" {
		if monitor, err = listen(ctx, "-metrics", config.metrics); err != nil {
			return err
		}
		defer func() { _ = monitor.Close() }()
	}
	store, err := openStore(ctx, config.db)
	if err != nil {
		return fmt.Errorf("-db %s: %w", databaseName(config.db), err)
	}
	defer func() { err = errors.Join(err, store.Close()) }()

	// The handler too is made before the store is filled, for the same reason.
	counted := newMetrics()
	guard := apguard.New(store, apguard.Options{ExternalLists: lists})
	handler, err := newHandler(
		guard,
		config.base,
		httpapi.Options{Logger: logger, Observer: counted},
		probes{ping: guard.Ready, timeout: pingTimeout, stopping: ctx.Done(), logger: logger},
	)
	if err != nil {
		return err
	}
	baseURL := "http://" + listener.Addr().String() + config.base
	greeting, err := first.fill(ctx, store, baseURL)
	if err != nil {
		return err
	}
	sites := []site{{listener, newServer(handler, logger)}}
	if monitor != nil {
		greeting += fmt.Sprintf("metrics on http://%s%s\n", monitor.Addr(), metricsPath)
		sites = append(sites, site{monitor, newServer(counted.handler(), logger)})
	}
	if _, err := fmt.Fprintf(stdout, "%slistening on %s\n", greeting, baseURL); err != nil {
		return err
	}
	return serve(ctx, config.drain, sites...)
}

// listen listens at the address that a flag gives.
func listen(ctx context.Context, flag, addr string) (net.Listener, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", flag, addr, err)
	}
	return listener, nil
}

// newHandler mounts the operations under base, and the probes outside of it. All
// else is answered by the API too: methods that Mount does not register with its
// 405, other paths with its 404.
func newHandler(guard *apguard.Guard, base string, opts httpapi.Options, probes probes) (http.Handler, error) {
	api, err := httpapi.New(guard, httpapi.APIKeys(guard.Accounts), opts)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	api.Mount(mux, base)
	mux.Handle(base+"/", http.StripPrefix(base, api))
	if base != "" {
		mux.Handle("/", api.NotFound())
	}
	probes.mount(mux)
	return probes.leaving(mux), nil
}
