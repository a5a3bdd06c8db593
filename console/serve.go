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
	"sync"
	"time"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/check/hashlist/origin"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/storage/sqlite"
	"github.com/apguard/apguard/webhook/deliver"
)

// The bases of the two APIs.
const (
	publicBase   = "/api/v2"
	operatorBase = "/operator"
)

// demoAddresses are those of the page that the command serves itself.
var demoAddresses = addresses{API: publicBase, OperatorAPI: operatorBase, KeysInLink: true}

// runServer builds the page, and serves it and both APIs until ctx is canceled.
func runServer(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("console", flag.ContinueOnError)
	flags.SetOutput(stderr)
	addr := flags.String("addr", "127.0.0.1:8090", "loopback `address` to listen on")
	db := flags.String("db", "console.db", "SQLite `file`, which is created with demo data")
	allowedOrigin := flags.String("allow-origin", "", "`origin` of another web server whose pages may call the APIs")
	if err := parse(flags, args); err != nil {
		return err
	}
	listener, err := listen(ctx, *addr)
	if err != nil {
		return err
	}
	defer listener.Close() //nolint:errcheck // the server has closed it, or it was not used
	_, _ = io.WriteString(stderr, "Building the page. The first time takes a minute ...\n")
	site, err := buildSite(ctx, demoAddresses)
	if err != nil {
		return err
	}
	return serveDemo(ctx, listener, site, *db, *allowedOrigin, stdout, stderr)
}

// serveDemo serves the page and both APIs on a database, which gets the demo if it is empty.
func serveDemo(ctx context.Context, listener net.Listener, site site, db, allowedOrigin string, stdout, stderr io.Writer) (err error) {
	store, err := sqlite.Open(ctx, db, sqlite.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if err := fillDemo(ctx, store, time.Now()); err != nil {
		return err
	}
	logger := slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	guard := apguard.New(store, apguard.Options{
		Report:          func(err error) { logger.Error("regular work failed; trying again", "error", err) },
		PrivateWebhooks: true, // receivers of a demo are on the same machine
	})
	sender := newSender(guard, logger)
	hashes := origin.New(guard.Assets, guard.Feed, origin.Options{
		MinimumWait: time.Second, // who tries the demo sees a change in the offline list at once
		Report:      func(err error) { logger.Error("hash lists are not up to date; trying again", "error", err) },
	})
	options := httpapi.Options{Logger: logger, Stopping: ctx.Done(), TestWebhook: sender.Test, Hashes: hashes}
	handler, err := newHandler(guard, site, demoAddresses, allowedOrigin, options)
	if err != nil {
		return err
	}
	ctx, stopWork := context.WithCancel(ctx)
	var work sync.WaitGroup
	defer work.Wait()
	defer stopWork()
	work.Go(func() { _ = hashes.Run(ctx) })
	work.Go(func() { _ = guard.Run(ctx) }) // all return the error of the context
	work.Go(func() { _ = sender.Run(ctx) })
	keys, err := createKeys(ctx, guard.Keys, time.Now())
	if err != nil {
		return err
	}
	if _, err := io.WriteString(stdout, keys.greeting("http://"+listener.Addr().String(), db)); err != nil {
		return err
	}
	return serve(ctx, listener, handler)
}

// newSender returns the sender of webhooks. The page shows what receivers answer, so only failures of
// the store are logged.
func newSender(guard *apguard.Guard, logger *slog.Logger) *deliver.Sender {
	return deliver.New(guard.Webhooks, deliver.Options{Report: func(event deliver.Event) {
		if event.Kind == deliver.EventFailed {
			logger.Error("webhooks failed; trying again", "error", event.Err)
		}
	}})
}

// listen listens on a loopback address: everybody who sees the output has the keys of the demo.
func listen(ctx context.Context, addr string) (net.Listener, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("%w; choose another address with -addr", err)
	}
	if bound, ok := listener.Addr().(*net.TCPAddr); !ok || !bound.IP.IsLoopback() {
		return nil, errors.Join(fmt.Errorf("-addr %s is not a loopback address", addr), listener.Close())
	}
	return listener, nil
}

// newHandler serves both APIs at their bases, and the page at all other paths.
func newHandler(guard *apguard.Guard, site site, addresses addresses, allowedOrigin string, options httpapi.Options) (http.Handler, error) {
	authenticator := httpapi.APIKeys(guard.Keys)
	public, err := httpapi.New(guard, authenticator, options)
	if err != nil {
		return nil, err
	}
	operator, err := httpapi.NewOperator(guard, authenticator, options)
	if err != nil {
		return nil, err
	}
	policy, err := newPolicy(addresses)
	if err != nil {
		return nil, err
	}
	page, err := newFiles(site, policy)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/", page)
	for base, api := range map[string]*httpapi.API{publicBase: public, operatorBase: operator} {
		operations := http.NewServeMux()
		api.Mount(operations, base)
		operations.Handle("/", api.NotFound())
		mux.Handle(base+"/", allowOrigin(allowedOrigin, operations))
	}
	return mux, nil
}

// serve serves until ctx is canceled, and then lets requests in flight finish.
func serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       time.Minute,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       2 * time.Minute,
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	return errors.Join(server.Shutdown(ctx), server.Close())
}
