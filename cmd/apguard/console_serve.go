package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/console"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/webhook/deliver"
)

// consoleConnections is the maximum number of open connections of the console.
const consoleConnections = 1000

// consoleConfig is the configuration of a console with demo data.
type consoleConfig struct {
	// addr is a loopback address.
	addr string
	// db is the path of a SQLite file. An empty one is filled with demo data.
	db string
	// allowedOrigin is the origin of another web server whose pages may call the APIs. It is empty if
	// there is none.
	allowedOrigin string
	// fourEyes is as in config.
	fourEyes bool
}

// check returns an error for an invalid flag. The demo belongs in no other kind of database.
func (c consoleConfig) check() error {
	db := database{secret{value: c.db, source: "-" + flagDB}}
	if c.db == "" || db.isMemory() || db.isPostgres() || connectionString.MatchString(c.db) {
		return errors.New("-db must be the path of a SQLite file")
	}
	return nil
}

// runConsole builds the page, and serves it and both APIs until ctx is canceled.
func runConsole(ctx context.Context, config consoleConfig, stdout, stderr io.Writer) error {
	listener, err := listenLocally(ctx, config.addr)
	if err != nil {
		return err
	}
	defer listener.Close() //nolint:errcheck // the server has closed it, or it was not used
	_, _ = io.WriteString(stderr, "Building the page. The first time takes a minute ...\n")
	page, err := console.Build(ctx, console.Addresses{API: defaultBase, OperatorAPI: operatorBase, KeysInLink: true})
	if err != nil {
		return err
	}
	return serveConsole(ctx, listener, page, config, stdout, stderr)
}

// runConsoleBuild writes the files of the page to a directory.
func runConsoleBuild(ctx context.Context, dir string, addresses console.Addresses, stdout io.Writer) error {
	page, err := console.Build(ctx, addresses)
	if err != nil {
		return err
	}
	if err := page.Write(dir); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%d files in %s\n", len(page), dir)
	return err
}

// listenLocally listens on a loopback address: everybody who sees the output has the keys of the demo.
func listenLocally(ctx context.Context, addr string) (net.Listener, error) {
	listener, err := listen(ctx, "-addr", addr)
	if err != nil {
		return nil, err
	}
	if !isLoopback(listener) {
		return nil, errors.Join(fmt.Errorf("-addr %s is not a loopback address", addr), listener.Close())
	}
	return listener, nil
}

// serveConsole serves the page and both APIs on a database, which gets the demo if it is empty.
func serveConsole(ctx context.Context, listener net.Listener, page console.Site, config consoleConfig, stdout, stderr io.Writer) (err error) {
	store, err := database{secret{value: config.db, source: "-" + flagDB}}.open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if err := fillConsole(ctx, store, time.Now()); err != nil {
		return err
	}
	logger := slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	guard := apguard.New(store, apguard.Options{
		OnError:         func(err error) { logger.Error("regular work failed; trying again", "error", err) },
		PrivateWebhooks: true, // receivers of a demo are on the same machine
		PrivateLists:    true, // so are its lists
		FourEyes:        config.fourEyes,
	})
	sender := newConsoleSender(guard, logger)
	hashes := newHashes(guard, time.Second, logger) // short, so that the offline list shows a change at once
	fetcher := newFetcher(guard, logger)
	options := httpapi.Options{
		Logger: logger, Stopping: ctx.Done(), TestWebhook: sender.Test, FetchList: fetcher.FetchNow, Hashes: hashes,
	}
	handler, err := newConsoleHandler(guard, page, config.allowedOrigin, options)
	if err != nil {
		return err
	}
	defer inBackground(ctx, hashes.Run)()
	defer inBackground(ctx, guard.Run)()
	defer inBackground(ctx, sender.Run)()
	defer inBackground(ctx, fetcher.Run)()
	keys, err := createConsoleKeys(ctx, guard.Keys, time.Now())
	if err != nil {
		return err
	}
	if _, err := io.WriteString(stdout, keys.greeting("http://"+listener.Addr().String(), config.db)); err != nil {
		return err
	}
	return serve(ctx, stopTimes{grace: 10 * time.Second}, newSite(listener, handler, consoleConnections, logger))
}

// newConsoleSender returns the sender of webhooks. The page shows what receivers answer, so only failures
// of the store are logged.
func newConsoleSender(guard *apguard.Guard, logger *slog.Logger) *deliver.Sender {
	return deliver.New(guard.Webhooks, deliver.Options{OnEvent: func(event deliver.Event) {
		if event.Kind == deliver.EventFailed {
			logDelivery(event, logger)
		}
	}})
}

// newConsoleHandler serves both APIs at their bases, and the page at all other paths.
func newConsoleHandler(guard *apguard.Guard, page console.Site, allowedOrigin string, options httpapi.Options) (http.Handler, error) {
	public, err := httpapi.New(guard, httpapi.APIKeys(guard.Keys), options)
	if err != nil {
		return nil, err
	}
	operators, err := newOperatorHandler(guard, options)
	if err != nil {
		return nil, err
	}
	files, err := console.NewHandler(page)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/", files)
	mux.Handle(defaultBase+"/", allowOrigin(allowedOrigin, mounted(public, defaultBase)))
	mux.Handle(operatorBase+"/", allowOrigin(allowedOrigin, operators))
	return mux, nil
}
