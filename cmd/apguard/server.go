package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/console"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/metrics"
	"github.com/apguard/apguard/observe"
)

// runServer serves until ctx is canceled, and then lets requests in flight finish.
func runServer(ctx context.Context, config config, stdout, stderr io.Writer) (err error) {
	var initial bootstrap
	if config.seed != "" {
		if initial, err = readSeed(config.seed); err != nil {
			return err
		}
	}
	logger, flush := newLogger(stderr)
	defer flush()
	var lists []check.ExternalList
	if config.phishlist != "" {
		list, err := openList(ctx, config.phishlist, logger)
		if err != nil {
			return err
		}
		lists = append(lists, list)
		defer watchList(ctx, list, config.listInterval, logger)()
	}
	var page console.Site
	if config.console != "" {
		if page, err = readPage(config.console, consoleAddresses(false)); err != nil {
			return fmt.Errorf("-console %s: %w", config.console, err)
		}
	}
	// Listen before opening the store. If the port is in use, nothing is written, and no
	// key is created that is never shown.
	listeners, err := config.listen(ctx)
	if err != nil {
		return err
	}
	defer listeners.close()
	baseURL := "http://" + listeners.api.Addr().String() + config.base
	private := isLoopback(listeners.api) && isLoopback(listeners.operator) && len(config.limits.proxies) == 0
	switch {
	case config.demo && !private:
		return errors.New("-addr and -operator of a demo must be loopback addresses: everyone who sees its output can use its keys")
	case config.demo && listeners.operator != nil:
		initial = newDemo(config.db, demoURLs{baseURL, "http://" + listeners.operator.Addr().String() + operatorBase})
	case config.demo:
		return errors.New("-operator of a demo must not be empty")
	case config.seed == "":
		initial = nothing(config.db)
	}
	open := config.db.open
	if config.readOnly {
		open = config.db.openReadOnly
	}
	protected, err := protectedNames(config.protected)
	if err != nil {
		return err
	}
	store, err := open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()

	// Create the handler before filling the store, for the same reason.
	counts := metrics.NewCounts(nil)
	var observers []observe.Observer
	if listeners.metrics != nil {
		observers = append(observers, counts)
	}
	followers := config.newFollowers()
	guard := apguard.New(store, apguard.Options{
		ExternalLists: lists,
		Memory:        config.memory,
		Replica:       feed.Options{Views: followers.views(), Snapshot: config.snapshot, OnEvent: logFeed(logger)},
		RefuseBlocked: config.refuseBlocked,
		FourEyes:      config.fourEyes,
		PruneAge:      config.pruneAge,
		OnError:       func(err error) { logger.Error("regular work failed; trying again", "error", err) },

		PrivateWebhooks: config.privateWebhooks,
		PrivateLists:    config.privateLists,
		Protected:       protected,
		Observers:       observers,
	})
	sender := newSender(guard, counts, logger)
	fetcher := newFetcher(guard, logger)
	options := httpapi.Options{Logger: logger, Observer: counts, AllowedOrigins: config.origins, Stopping: ctx.Done()}
	if !config.readOnly {
		options.TestWebhook, options.FetchList = sender.Test, fetcher.FetchNow
	}
	if err := config.limits.setOptions(&options, config.maxConnections); err != nil {
		return err
	}
	if config.hashes {
		options.Hashes, options.PublicHashes = followers.hashes, config.publicHashes
	}
	handler, err := newHandler(
		guard,
		config.base,
		options,
		probes{ping: guard.Ready, timeout: pingTimeout, stopping: ctx.Done(), logger: logger},
	)
	if err != nil {
		return err
	}
	handler = config.limits.warnOfProxy(handler, logger)
	if !private {
		if err := refuseDemoKeys(ctx, guard.Keys, config.db); err != nil {
			return err
		}
	}
	greeting := "This server only reads.\n"
	if !config.readOnly {
		if greeting, err = initial.fill(ctx, store); err != nil {
			return err
		}
		defer inBackground(ctx, guard.Run)()
		defer inBackground(ctx, sender.Run)()
		defer inBackground(ctx, fetcher.Run)()
	}
	if config.readOnly && guard.Replica != nil {
		defer inBackground(ctx, guard.Replica.Run)()
	}
	var phishing http.Handler
	if listeners.phishing != nil {
		if phishing, err = newPhishingHandler(followers.wallet, options); err != nil {
			return err
		}
	}
	if config.publish.to != "" {
		publisher, err := newPublisher(publisherOf{guard, followers, syncWithin(guard.Replica, publishedWithin), counts.Published, logger}, config.publish)
		if err != nil {
			return err
		}
		defer inBackground(ctx, publisher.Run)()
	}
	sites := []site{newSite(listeners.api, handler, config.maxConnections, logger)}
	if listeners.metrics != nil {
		greeting += fmt.Sprintf("metrics on http://%s%s\n", listeners.metrics.Addr(), metricsPath)
		sites = append(sites, newSite(listeners.metrics, newMetrics(counts, metrics.Sources{
			Guard: guard, Store: store, Publishes: config.publish.to != "", Version: buildVersion(),
		}), config.maxConnections, logger))
	}
	if listeners.operator != nil {
		operators, err := newOperatorHandler(guard, consoleSite{page: page, person: config.person()}, options)
		if err != nil {
			return err
		}
		greeting += fmt.Sprintf("operators on http://%s%s\n", listeners.operator.Addr(), operatorBase)
		if page != nil {
			greeting += fmt.Sprintf("console on http://%s\n", listeners.operator.Addr())
		}
		sites = append(sites, newSite(listeners.operator, operators, config.maxConnections, logger))
	}
	if phishing != nil {
		greeting += fmt.Sprintf("phishing detection on http://%s\n", listeners.phishing.Addr())
		sites = append(sites, newSite(listeners.phishing, phishing, config.maxConnections, logger))
	}
	if !config.demo {
		config.warnOfBrakes(logger)
	}
	if _, err := fmt.Fprintf(stdout, "%slistening on %s\n", greeting, baseURL); err != nil {
		return err
	}
	return serve(ctx, config.stop, sites...)
}

// person returns who has sent a request by the flag -sign-in-header, or nil without the flag.
func (c config) person() func(*http.Request) string {
	if c.signInHeader == "" {
		return nil
	}
	return httpapi.TrustEmailHeader(c.signInHeader, c.limits.proxies...)
}

// newHandler mounts the operations at base and the probes at the root. The API also
// answers all other requests: 405 for other methods of an operation, 404 for other paths.
func newHandler(guard *apguard.Guard, base string, opts httpapi.Options, probes probes) (http.Handler, error) {
	api, err := httpapi.New(guard, httpapi.APIKeys(guard.Keys), opts)
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
	return probes.closeConnections(mux), nil
}

// operatorBase is the base of the operators' API.
const operatorBase = "/operator"

// newOperatorHandler mounts the operations for operators, and the console if there is a page.
func newOperatorHandler(guard *apguard.Guard, site consoleSite, opts httpapi.Options) (http.Handler, error) {
	if site.page != nil {
		return newConsoleHandler(guard, site, opts)
	}
	api, err := httpapi.NewOperator(guard, httpapi.APIKeys(guard.Keys), opts)
	if err != nil {
		return nil, err
	}
	return mounted(api, operatorBase), nil
}

// mounted returns a handler of an API at a base. The API also answers all other requests.
func mounted(api *httpapi.API, base string) http.Handler {
	mux := http.NewServeMux()
	api.Mount(mux, base)
	mux.Handle("/", api.NotFound())
	return mux
}
