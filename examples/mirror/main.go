// Command mirror answers checks over HTTP from a copy of the statuses in memory. It copies them
// from the database of another program, such as examples/server, and follows the changes:
//
//	go run ./examples/mirror -db demo.db
//	curl 'http://127.0.0.1:8082/check?content=https://login.bad.example/x'
//
// With -from, it copies them from a server, which can be anywhere. The key needs the scope "changelog":
//
//	APGUARD_KEY=apg_... go run ./examples/mirror -from https://apguard.example.com/api/v2
//
// It goes on answering while the database or the server is away. GET /health says how old the copy is.
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
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", *addr)
	if err != nil {
		return err
	}
	logger.Info("listening", "address", listener.Addr().String())
	return serve(ctx, listener, m)
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

// serve runs the mirror and answers from it until ctx is canceled.
func serve(ctx context.Context, listener net.Listener, m *mirror.Mirror) error {
	server := &http.Server{Handler: newHandler(m), ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second}
	following, stop := context.WithCancel(ctx)
	var followers sync.WaitGroup
	followers.Go(func() { _ = m.Run(following) }) // it returns the error of the context
	defer followers.Wait()
	defer stop()
	context.AfterFunc(ctx, func() { _ = server.Close() })
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
