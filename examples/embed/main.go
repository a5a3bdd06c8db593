// Command embed is a small help desk that embeds the asset protection service. It has its
// own routes, users, tokens and tables, and one database for both. Copy from it. Without
// flags, it runs on a SQLite file in the working directory:
//
//	go run .
//
// Package routers shows how to mount the operations on other routers than chi.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/storage/sqlite"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program immediately
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return
	}
	fmt.Fprintln(os.Stderr, "embed:", err)
	os.Exit(1)
}

// run serves until ctx is canceled, and then lets requests in flight finish.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	flags := flag.NewFlagSet("embed", flag.ContinueOnError)
	flags.SetOutput(stderr)
	addr := flags.String("addr", "127.0.0.1:8080", "`HOST:PORT` to listen on; port 0 chooses a free port")
	path := flags.String("db", "desk.db", "`PATH` of the SQLite file")
	if err := flags.Parse(args); err != nil {
		return err
	}
	// Listen before opening the database. If the port is in use, nothing is written, and
	// no token is created that is never shown.
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", *addr)
	if err != nil {
		return fmt.Errorf("-addr %s: %w", *addr, err)
	}
	defer func() { _ = listener.Close() }() // the server may have closed it
	db, err := openDatabase(ctx, *path)
	if err != nil {
		return fmt.Errorf("-db %s: %w", *path, err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	store, err := sqlite.New(ctx, db, sqlite.Options{})
	if err != nil {
		return fmt.Errorf("-db %s: %w", *path, err)
	}
	defer func() { err = errors.Join(err, store.Close()) }()

	logger := slog.New(slog.NewTextHandler(stderr, nil))
	guard := apguard.New(store, apguard.Options{OnError: func(err error) { logger.Error("regular work failed; trying again", "error", err) }})
	desk := desk{db: db, guard: guard}
	handler, err := newHandler(desk, logger, ctx.Done())
	if err != nil {
		return err
	}
	baseURL := "http://" + listener.Addr().String()
	greeting, err := desk.fill(ctx, baseURL)
	if err != nil {
		return err
	}
	ctx, stopWork := context.WithCancel(ctx)
	defer stopWork()
	go func() { _ = guard.Run(ctx) }() // it returns the error of the context
	if _, err := fmt.Fprintf(stdout, "%slistening on %s\n", greeting, baseURL); err != nil {
		return err
	}
	return serve(ctx, listener, handler)
}
