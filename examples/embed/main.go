// Command embed is a small help desk that has the asset protection service inside:
// its own pages, its own people and tokens, its own tables, and one database for
// both. It is there to be copied from. Run it without flags, in this folder, for a
// desk on a SQLite file in the working directory:
//
//	go run .
//
// Package routers shows how other routers than chi take the operations.
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
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return
	}
	fmt.Fprintln(os.Stderr, "embed:", err)
	os.Exit(1)
}

// run serves until the context ends, then lets the requests under way finish.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	flags := flag.NewFlagSet("embed", flag.ContinueOnError)
	flags.SetOutput(stderr)
	addr := flags.String("addr", "127.0.0.1:8080", "`HOST:PORT` to listen on; port 0 picks a free one")
	path := flags.String("db", "desk.db", "`PATH` of the SQLite file")
	if err := flags.Parse(args); err != nil {
		return err
	}
	// Listening comes before the database: when the port is taken, nothing has been
	// written and no token has been made that nobody saw.
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", *addr)
	if err != nil {
		return fmt.Errorf("-addr %s: %w", *addr, err)
	}
	defer func() { _ = listener.Close() }() // the server closes it first, if there is one
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

	desk := desk{db: db, guard: apguard.New(store, apguard.Options{})}
	handler, err := newHandler(desk, slog.New(slog.NewTextHandler(stderr, nil)))
	if err != nil {
		return err
	}
	baseURL := "http://" + listener.Addr().String()
	greeting, err := desk.fill(ctx, baseURL)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(stdout, "%slistening on %s\n", greeting, baseURL); err != nil {
		return err
	}
	return serve(ctx, listener, handler)
}
