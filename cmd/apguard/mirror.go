// Command mirror answers checks over HTTP from a copy of the statuses in memory. It copies them
// from the database of another program, such as cmd/apguard, and follows the changes:
//
//	go run ./examples/mirror -db demo.db
//	curl 'http://127.0.0.1:8082/check?content=https://login.bad.example/x'
//
// With -from, it copies them from a server, which can be anywhere. The key needs the scope "changelog":
//
//	APGUARD_KEY=apg_... go run ./examples/mirror -from https://apguard.example.com/api/v2
//
// It goes on answering while the database or the server is away. GET /health says how old the copy is.
// With -metrics, it serves metrics for Prometheus at /metrics on a separate listener.
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
	"sync"
	"syscall"
	"time"

	"github.com/apguard/apguard/check/mirror"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.LookupEnv, os.Stderr)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "mirror:", err)
		os.Exit(1)
	}
}

// run serves until ctx is canceled.
func run(ctx context.Context, args []string, env environment, stderr io.Writer) error {
	flags := flag.NewFlagSet("mirror", flag.ContinueOnError)
	flags.SetOutput(stderr)
	addr := flags.String("addr", "127.0.0.1:8082", "`address` to listen on")
	db := flags.String("db", "", "SQLite `file`, or the URL of a PostgreSQL database, that another program has created (default \"apguard.db\")")
	from := flags.String("from", "", "base `URL` of a server to copy from instead, such as https://apguard.example.com/api/v2.\nIts key is in the environment variable APGUARD_KEY, or in the file that APGUARD_KEY_FILE names")
	metrics := flags.String("metrics", "", "`address` of a separate listener for Prometheus metrics; default is none")
	if err := flags.Parse(args); err != nil {
		return err
	}
	logger := slog.New(slog.NewTextHandler(stderr, nil))
	origin, err := openOrigin(ctx, *db, *from, env)
	if err != nil {
		return err
	}
	defer origin.close() //nolint:errcheck // it is only read

	m := mirror.New(origin.source, mirror.Options{Interval: origin.interval, Report: logEvents(logger)})
	counts := newCounts()
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", *addr)
	if err != nil {
		return err
	}
	logger.Info("listening", "address", listener.Addr().String())
	sites := []site{newSite(listener, newHandler(m, counts))}
	if *metrics != "" {
		separate, err := new(net.ListenConfig).Listen(ctx, "tcp", *metrics)
		if err != nil {
			return errors.Join(err, listener.Close())
		}
		logger.Info("metrics", "address", separate.Addr().String())
		sites = append(sites, newSite(separate, newMetricsHandler(m, counts)))
	}
	return serve(ctx, m, sites...)
}

// logEvents returns a function that logs the events of the mirror.
func logEvents(logger *slog.Logger) func(mirror.Event) {
	return func(event mirror.Event) {
		switch event.Kind {
		case mirror.EventFilled:
			logger.Info("the mirror is filled")
		case mirror.EventFailed:
			logger.Error("the mirror does not follow; trying again", "error", event.Err)
		case mirror.EventRecovered:
			logger.Info("the mirror follows again")
		}
	}
}

// site is a server with its listener.
type site struct {
	listener net.Listener
	server   *http.Server
}

func newSite(listener net.Listener, handler http.Handler) site {
	return site{listener, &http.Server{Handler: handler, ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second}}
}

// serve runs the mirror and answers from it until ctx is canceled or a site fails.
func serve(ctx context.Context, m *mirror.Mirror, sites ...site) error {
	following, stop := context.WithCancel(ctx)
	var followers sync.WaitGroup
	followers.Go(func() { _ = m.Run(following) }) // it returns the error of the context
	defer followers.Wait()
	defer stop()
	ended := make(chan error, len(sites))
	for _, s := range sites {
		go func() { ended <- s.server.Serve(s.listener) }()
	}
	var err error
	select {
	case err = <-ended:
	case <-ctx.Done():
	}
	for _, s := range sites {
		_ = s.server.Close()
	}
	return err
}
