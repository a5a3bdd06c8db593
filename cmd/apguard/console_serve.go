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
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/hashes"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/webhook/deliver"
)

// consoleConnections is the maximum number of open connections of the console.
const consoleConnections = 1000

// signInBase is the base of the operations with which the page signs in.
const signInBase = "/session"

// consoleAddresses returns the addresses of a page that newConsoleHandler serves. Only a demo takes keys from links.
func consoleAddresses(demo bool) console.Addresses {
	return console.Addresses{API: defaultBase, OperatorAPI: operatorBase, SignIn: signInBase, KeysInLink: demo}
}

// readPage reads a page that was built before, and gives it addresses.
func readPage(dir string, addresses console.Addresses) (console.Site, error) {
	page, err := console.Read(dir)
	if err != nil {
		return nil, err
	}
	if err := page.SetAddresses(addresses); err != nil {
		return nil, err
	}
	return page, nil
}

// consoleConfig is the configuration of a console with demo data.
type consoleConfig struct {
	// addr is a loopback address.
	addr string
	// db is the path of a SQLite file. An empty one is filled with demo data.
	db string
	// page is the directory of the page, which is built if it is empty.
	page string
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
	page, err := config.demoPage(ctx, stderr)
	if err != nil {
		return err
	}
	return serveConsole(ctx, listener, page, config, stdout, stderr)
}

// demoPage reads the page, or builds it.
func (c consoleConfig) demoPage(ctx context.Context, stderr io.Writer) (console.Site, error) {
	if c.page != "" {
		page, err := readPage(c.page, consoleAddresses(true))
		if err != nil {
			return nil, fmt.Errorf("-page %s: %w", c.page, err)
		}
		return page, nil
	}
	_, _ = io.WriteString(stderr, "Building the page. The first time takes a minute ...\n")
	return console.Build(ctx, consoleAddresses(true))
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
	lists := hashes.New(hashes.Options{MinimumWait: time.Second}) // short, so that the offline list shows a change at once
	guard := apguard.New(store, apguard.Options{
		Replica:         feed.Options{Views: []feed.View{lists}, OnEvent: logFeed(logger)},
		OnError:         func(err error) { logger.Error("regular work failed; trying again", "error", err) },
		PrivateWebhooks: true, // receivers of a demo are on the same machine
		PrivateLists:    true, // so are its lists
		FourEyes:        config.fourEyes,
	})
	sender := newConsoleSender(guard, logger)
	fetcher := newFetcher(guard, logger)
	options := httpapi.Options{
		Logger: logger, Stopping: ctx.Done(), TestWebhook: sender.Test, FetchList: fetcher.FetchNow, Hashes: lists,
	}
	handler, err := newConsoleHandler(guard, consoleSite{page: page, allowedOrigin: config.allowedOrigin}, options)
	if err != nil {
		return err
	}
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

// consoleSite is a page that is served with a sign-in.
type consoleSite struct {
	page console.Site
	// allowedOrigin is as in consoleConfig.
	allowedOrigin string
	// person is SessionOptions.Person.
	person func(*http.Request) string
}

// newConsoleHandler serves both APIs and the sign-in at their bases, and the page at all other paths.
func newConsoleHandler(guard *apguard.Guard, site consoleSite, options httpapi.Options) (http.Handler, error) {
	sessions := httpapi.NewSessions(guard.Keys, httpapi.SessionOptions{Person: site.person, Accounts: guard.Accounts})
	public, err := httpapi.New(guard, sessions.Public(), options)
	if err != nil {
		return nil, err
	}
	operators, err := httpapi.NewOperator(guard, sessions.Operator(), options)
	if err != nil {
		return nil, err
	}
	signIn, err := httpapi.NewSignIn(sessions, options)
	if err != nil {
		return nil, err
	}
	files, err := console.NewHandler(site.page)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/", files)
	mux.Handle(defaultBase+"/", allowOrigin(site.allowedOrigin, mounted(public, defaultBase)))
	mux.Handle(operatorBase+"/", allowOrigin(site.allowedOrigin, mounted(operators, operatorBase)))
	mux.Handle(signInBase+"/", mounted(signIn, signInBase))
	return mux, nil
}
