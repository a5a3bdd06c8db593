// Command server is a complete asset protection server that uses only the public packages
// of apguard. Without flags it runs a demo on demo.db in the working directory:
//
//	go run ./cmd/apguard
//
// The subcommands organizations and users create and list organizations and users. The
// subcommand keys creates, imports, lists, rotates and revokes API keys. The subcommand webhooks
// manages receivers of changes. The subcommand erase erases a person. The subcommand audit lists who
// did these things. The subcommands import and export read and write lists of assets. The subcommand
// reclassify upgrades a database of older rules:
//
//	go run ./cmd/apguard organizations
//	go run ./cmd/apguard users
//	go run ./cmd/apguard keys
//	go run ./cmd/apguard webhooks
//	go run ./cmd/apguard erase -email EMAIL
//	go run ./cmd/apguard audit
//	go run ./cmd/apguard import -format hosts FILE
//	go run ./cmd/apguard export -format domains
//	go run ./cmd/apguard reclassify -dry-run
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/httpapi"
	"github.com/apguard/apguard/observe"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program immediately
	err := run(ctx, os.Args[1:], os.LookupEnv, os.Stdout, os.Stderr)
	stop()
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return
	}
	fmt.Fprintln(os.Stderr, "server:", err)
	switch {
	case errors.As(err, new(usageError)):
		os.Exit(2)
	case errors.Is(err, errMostlyRefused):
		os.Exit(exitMostlyRefused)
	}
	os.Exit(1)
}

// run runs a subcommand, or serves until ctx is canceled.
func run(ctx context.Context, args []string, env environment, stdout, stderr io.Writer) error {
	ctx = audit.WithActor(ctx, audit.Actor{Channel: audit.ChannelCommandLine})
	if len(args) > 0 {
		switch args[0] {
		case "audit":
			return runAudit(ctx, args[1:], env, stdout, stderr)
		case "organizations":
			return runOrganizations(ctx, args[1:], env, stdout, stderr)
		case "users":
			return runUsers(ctx, args[1:], env, stdout, stderr)
		case "keys":
			return runKeys(ctx, args[1:], env, stdout, stderr)
		case "webhooks":
			return runWebhooks(ctx, args[1:], env, stdout, stderr)
		case "erase":
			return runErase(ctx, args[1:], env, stdout, stderr)
		case "import":
			return runImport(ctx, args[1:], env, os.Stdin, stdout, stderr)
		case "reclassify":
			return runReclassify(ctx, args[1:], env, stdout, stderr)
		case "export":
			return runExport(ctx, args[1:], env, stdout, stderr)
		}
	}
	config, err := parseFlags(args, env, stderr)
	if err != nil {
		return err
	}
	if config.version {
		return printVersion(stdout)
	}
	return runServer(ctx, config, stdout, stderr)
}

// printVersion prints the version of the program and that of Go. A program that was built without
// information of version control is of version (devel).
func printVersion(w io.Writer) error {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return errors.New("the program was built without its version")
	}
	_, err := fmt.Fprintf(w, "server %s %s\n", cmp.Or(info.Main.Version, "(devel)"), info.GoVersion)
	return err
}

// runServer serves until ctx is canceled, and then lets requests in flight finish.
func runServer(ctx context.Context, config config, stdout, stderr io.Writer) (err error) {
	var initial bootstrap
	if config.seed != "" {
		if initial, err = readSeed(config.seed); err != nil {
			return err
		}
	}
	logger := slog.New(slog.NewTextHandler(stderr, nil))
	var lists []check.ExternalList
	if config.phishlist != "" {
		list, err := openList(ctx, config.phishlist, logger)
		if err != nil {
			return err
		}
		lists = append(lists, list)
		defer watchList(ctx, list, config.listInterval, logger)()
	}
	// Listen before opening the store. If the port is in use, nothing is written, and no
	// key is created that is never shown.
	listeners, err := config.listen(ctx)
	if err != nil {
		return err
	}
	defer listeners.close()
	baseURL := "http://" + listeners.api.Addr().String() + config.base
	private := isLoopback(listeners.api) && len(config.limits.proxies) == 0
	switch {
	case config.seed != "":
	case private && config.demo && !config.readOnly:
		initial, config.db = newDemo(config.db, baseURL)
	default:
		initial = nothing(config.db)
	}
	open := config.db.open
	if config.readOnly {
		open = config.db.openReadOnly
	}
	store, err := open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()

	// Create the handler before filling the store, for the same reason.
	metrics := newMetrics()
	var observers []observe.Observer
	if listeners.metrics != nil {
		observers = append(observers, metrics.work)
	}
	guard := apguard.New(store, apguard.Options{
		ExternalLists: lists,
		RefuseBlocked: config.refuseBlocked,
		Report:        func(err error) { logger.Error("regular work failed; trying again", "error", err) },

		PrivateWebhooks: config.privateWebhooks,
		Observers:       observers,
	})
	sender := newSender(guard, &metrics.deliveries, logger)
	options := httpapi.Options{Logger: logger, Observer: metrics, AllowedOrigins: config.origins, Stopping: ctx.Done()}
	if !config.readOnly {
		options.TestWebhook = sender.Test
	}
	if err := config.limits.setOptions(&options, config.maxConnections); err != nil {
		return err
	}
	if config.hashes {
		options.Hashes, options.PublicHashes = newHashes(guard, config.hashesWait, logger), config.publicHashes
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
	}
	var phishing http.Handler
	if listeners.phishing != nil {
		list := newHotlist(guard, logger)
		if phishing, err = newPhishingHandler(list, options); err != nil {
			return err
		}
		defer inBackground(ctx, list.Run)()
	}
	if config.hashes {
		defer inBackground(ctx, options.Hashes.Run)()
	}
	sites := []site{newSite(listeners.api, handler, config.maxConnections, logger)}
	if listeners.metrics != nil {
		greeting += fmt.Sprintf("metrics on http://%s%s\n", listeners.metrics.Addr(), metricsPath)
		sites = append(sites, newSite(listeners.metrics, metrics.handler(guard, store), config.maxConnections, logger))
	}
	if listeners.operator != nil {
		operators, err := newOperatorHandler(guard, options)
		if err != nil {
			return err
		}
		greeting += fmt.Sprintf("operators on http://%s%s\n", listeners.operator.Addr(), operatorBase)
		sites = append(sites, newSite(listeners.operator, operators, config.maxConnections, logger))
	}
	if phishing != nil {
		greeting += fmt.Sprintf("phishing detection on http://%s\n", listeners.phishing.Addr())
		sites = append(sites, newSite(listeners.phishing, phishing, config.maxConnections, logger))
	}
	if _, err := fmt.Fprintf(stdout, "%slistening on %s\n", greeting, baseURL); err != nil {
		return err
	}
	return serve(ctx, config.stop, sites...)
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

// newOperatorHandler mounts the operations for operators. The API also answers all other
// requests.
func newOperatorHandler(guard *apguard.Guard, opts httpapi.Options) (http.Handler, error) {
	api, err := httpapi.NewOperator(guard, httpapi.APIKeys(guard.Keys), opts)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	api.Mount(mux, operatorBase)
	mux.Handle("/", api.NotFound())
	return mux, nil
}
