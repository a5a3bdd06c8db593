package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/feed/mirror"
	"github.com/apguard/apguard/metrics"
)

// mirrorConfig is the configuration of a mirror.
type mirrorConfig struct {
	addr, base string
	// from is the base URL of the server to copy from, or the URL of a manifest, or empty to copy from the database.
	from string
	// verifierKey is the key of a manifest, or empty if from is a server.
	verifierKey string
	db          database
	metrics     string
	// snapshot is the file for the copy, or empty.
	snapshot string
	// maxAge is the age from which on the copy no longer answers.
	maxAge time.Duration
	// key is the key for the server.
	key secret
}

// mirrorConnections is the maximum number of open connections of a mirror, which answers in microseconds.
const mirrorConnections = 10_000

// mirror returns the command that answers checks from a copy of the statuses in memory.
func (p program) mirror() *cli.Command {
	var c mirrorConfig
	return &cli.Command{
		Name:  "mirror",
		Usage: "answer checks from a copy of the statuses in memory",
		Description: `Copies the statuses of a database or a server, and follows the changes. It keeps answering while these are
away, until the copy is older than -max-age. POST /asset/check and /asset/check/batch answer as those of a server, without a key, and with the age of the
copy in seconds in the header Age. GET /health says how old the copy is, too.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "addr", Value: "127.0.0.1:8082", Usage: "`HOST:PORT` to listen on", Destination: &c.addr},
			&cli.StringFlag{Name: "base", Value: defaultBase, Usage: "base `PATH` of the API", Destination: &c.base},
			dbFlag(),
			&cli.StringFlag{
				Name: "from", Destination: &c.from,
				Usage: "base `URL` of a server to copy from instead, such as https://apguard.example.com/api/v2; its key, " +
					"with the scope changelog, is in the environment variable APGUARD_KEY, or in the file that APGUARD_KEY_FILE names; " +
					"or the URL of the manifest of a published folder with an export in jsonl, with -verifier-key",
			},
			&cli.StringFlag{
				Name: "verifier-key", Destination: &c.verifierKey,
				Usage: "`KEY` with which the manifest is verified, which apguard publish verifier prints; several are separated by spaces",
			},
			snapshotFlag(&c.snapshot),
			&cli.DurationFlag{
				Name: "max-age", Value: mirror.DefaultMaxAge, Destination: &c.maxAge,
				Usage: "`TIME` from which on the copy is too old to answer: checks and /health then return 503",
			},
			&cli.StringFlag{Name: "metrics", Usage: "`HOST:PORT` of a separate listener for Prometheus metrics", Destination: &c.metrics},
		},
		Action: func(ctx context.Context, command *cli.Command) error {
			if err := c.complete(command, p); err != nil {
				return err
			}
			logger, flush := newLogger(p.stderr)
			defer flush()
			return runMirror(ctx, c, logger)
		},
	}
}

// complete chooses the database, or the key for the server or the folder.
func (c *mirrorConfig) complete(command *cli.Command, p program) (err error) {
	if err := checkBase(c.base); err != nil {
		return wrongUsage(command, err)
	}
	switch {
	case c.maxAge <= 0:
		err = errors.New("-max-age must be positive")
	case c.from == "" && c.verifierKey != "":
		err = errors.New("-verifier-key needs -from")
	case c.from == "":
		c.db, err = p.existingDatabase(command, noArguments)
		return err
	case command.Args().Present():
		err = errUnexpectedArgument
	case command.IsSet(flagDB):
		err = errors.New("-db and -from must not be given together")
	case c.verifierKey != "":
		return nil
	case strings.HasSuffix(c.from, ".json"):
		err = errors.New("-from: a manifest needs -verifier-key, which apguard publish verifier prints")
	default:
		if c.key, err = p.env.key(); errors.Is(err, errNoKey) {
			err = fmt.Errorf("-from: %w", err)
		}
	}
	if err != nil {
		return wrongUsage(command, err)
	}
	return nil
}

// runMirror serves until ctx is canceled.
func runMirror(ctx context.Context, c mirrorConfig, logger *slog.Logger) error {
	origin, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer origin.close() //nolint:errcheck // it is only read

	m := mirror.New(mirror.Options{MaxAge: c.maxAge})
	r := feed.NewReplica(origin.source, feed.Options{
		Views: []feed.View{m}, Interval: origin.interval, Snapshot: c.snapshot, OnEvent: logMirror(logger),
	})
	counts := metrics.NewCounts(nil)
	handler, err := newMirrorHandler(m, r.State, c.base, counts)
	if err != nil {
		return err
	}
	listener, err := listen(ctx, "-addr", c.addr)
	if err != nil {
		return err
	}
	logger.Info("listening", "address", listener.Addr().String())
	sites := []site{newSite(listener, handler, mirrorConnections, logger)}
	if c.metrics != "" {
		separate, err := listen(ctx, "-metrics", c.metrics)
		if err != nil {
			return errors.Join(err, listener.Close())
		}
		logger.Info("metrics", "address", separate.Addr().String())
		sites = append(sites, newSite(separate, newMetrics(counts, metrics.Sources{Mirror: m, Version: buildVersion()}), mirrorConnections, logger))
	}
	defer inBackground(ctx, r.Run)()
	return serve(ctx, stopTimes{}, sites...)
}

// logMirror returns a function that logs the events of the mirror.
func logMirror(logger *slog.Logger) func(feed.Event) {
	others := logFeed(logger)
	return func(event feed.Event) {
		switch event.Kind {
		case feed.EventFilled:
			logger.Info("the mirror is filled")
		case feed.EventFailed:
			logger.Error("the mirror does not follow; trying again", "error", event.Err)
		case feed.EventRecovered:
			logger.Info("the mirror follows again")
		default:
			others(event)
		}
	}
}
