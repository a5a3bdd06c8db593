package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"time"

	"github.com/urfave/cli/v3"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/feed"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/publish"
)

// publishConfig is the configuration of a publisher.
type publishConfig struct {
	// to is the directory, or empty to publish nothing.
	to string
	// toFlag and exportsFlag are the flags of to and exports, for errors.
	toFlag, exportsFlag string
	// exports are the names of formats, and metamask.
	exports []string
	// every is the time between two publications, or zero to publish once.
	every        time.Duration
	exportsEvery time.Duration
	keep         time.Duration
	keyFile      string
	keys         []publish.Key
	// warn warns of a key that other users can read.
	warn func(*slog.Logger)
}

// exportMetaMask is the name of the lists for MetaMask's clients among the exports.
const exportMetaMask = "metamask"

// publishMode is the mode of a new directory that a web server can read.
const publishMode fs.FileMode = 0o755

// publish returns the command that writes files for clients.
func (p program) publish() *cli.Command {
	c := publishConfig{toFlag: "-to", exportsFlag: "-exports"}
	return &cli.Command{
		Name:  "publish",
		Usage: "write hash lists and exports as signed files for a web server",
		Description: `Writes hash lists to a directory that any web server can serve, with a signed manifest, and with -every what has
changed since. It keeps publishing while a server uses the database. Without -every, it prints what it has done. docs/publish.md has the
configuration of a web server, and says what clients do. "apguard publish key" makes the key.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "to", Usage: "`DIR` to publish to; it is created, but not its parent", Destination: &c.to},
			&cli.DurationFlag{
				Name: "every", Destination: &c.every, HideDefault: true,
				Usage: "`TIME` between two publications, such as 1m, until the program is interrupted; without the flag, it publishes once",
			},
			exportsFlag("exports", &c.exports),
			&cli.DurationFlag{
				Name: "exports-every", Value: publish.DefaultExportInterval, Destination: &c.exportsEvery,
				Usage: "`TIME` between two exports, if something has changed",
			},
			&cli.DurationFlag{
				Name: "keep", Value: publish.DefaultKeep, Destination: &c.keep,
				Usage: "`TIME` that files stay after the last manifest that named them",
			},
			signingKeyFlag(&c.keyFile),
			dbFlag(),
		},
		Commands: []*cli.Command{p.publishKey(), p.publishVerifier()},
		Action: p.onGuard(func(command *cli.Command) error {
			return cmp.Or(noArguments(command), needs(command, "to"), c.complete(p.env))
		}, func(ctx context.Context, guard *apguard.Guard) error { return p.runPublish(ctx, guard, c) }),
	}
}

// exportsFlag returns the flag for the exports that are published.
func exportsFlag(name string, to *[]string) cli.Flag {
	return &cli.StringSliceFlag{
		Name: name, Destination: to, Config: cli.StringConfig{TrimSpace: true},
		Usage: "`FORMATS` of exports, separated by commas: jsonl (which mirrors need), csv, eth-phishing-detect, domains, hosts, rpz, " +
			"adblock, stix, misp-warninglist, and metamask for the lists of MetaMask's clients; everybody who can read the files can then read all statuses " +
			"with their notes; without the flag, only hashes are published",
	}
}

// signingKeyFlag returns the flag for the key that signs the manifest.
func signingKeyFlag(to *string) cli.Flag {
	return &cli.StringFlag{
		Name: "signing-key-file", Destination: to, TakesFile: true,
		Usage: "`FILE` with the key that signs the manifest, or with several, one on each line; without the flag, they are in the " +
			"environment variable APGUARD_SIGNING_KEY, or in the file that APGUARD_SIGNING_KEY_FILE names",
	}
}

// complete validates the configuration and reads the keys.
func (c *publishConfig) complete(env environment) (err error) {
	for i, name := range c.exports {
		switch {
		case name != exportMetaMask && !slices.Contains(lists.Writable(), lists.Format(name)):
			return fmt.Errorf("%s must be of jsonl, csv, eth-phishing-detect, domains, hosts, rpz, adblock, stix, misp-warninglist and metamask", c.exportsFlag)
		case slices.Contains(c.exports[:i], name):
			return fmt.Errorf("%s: %s is given twice", c.exportsFlag, name)
		}
	}
	switch {
	case c.every != 0 && c.every < time.Second:
		return errors.New("-every must be at least 1s")
	case c.exportsEvery <= 0:
		return errors.New("-exports-every must be positive")
	case c.keep < time.Hour:
		return errors.New("-keep must be at least 1h, because caches can have an old manifest")
	}
	c.warn = func(logger *slog.Logger) { env.warnOfKey(c.keyFile, logger) }
	c.keys, err = env.signingKeys(c.keyFile)
	return err
}

// publisherOf has what a publisher uses beside its configuration.
type publisherOf struct {
	guard *apguard.Guard
	// followers are the lists to publish, which sync brings up to date.
	followers followers
	sync      func(context.Context) error
	// published is told the time of the manifest after each publication.
	published func(at time.Time)
	logger    *slog.Logger
}

// newPublisher returns a publisher.
func newPublisher(of publisherOf, c publishConfig) (*publish.Publisher, error) {
	if err := makePublic(c.to); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w; create the parent directory first", c.toFlag, err)
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w", c.toFlag, err)
	}
	c.warn(of.logger)
	options := publish.Options{
		Keys: c.keys, Hashes: of.followers.hashes, Sync: of.sync, Feed: of.guard.Feed, Assets: of.guard.Assets,
		Interval: c.every, ExportInterval: c.exportsEvery, Keep: c.keep,
		OnPublished: func(made publish.Publication) {
			of.published(made.Manifest.Time)
			logPublication(of.logger, made)
		},
		OnError: func(err error) { logUnpublished(of.logger, err) },
	}
	for _, name := range c.exports {
		if name != exportMetaMask {
			options.Exports = append(options.Exports, lists.Format(name))
		}
	}
	if c.hasWallet() {
		options.Wallet = of.followers.wallet
	}
	return publish.New(publish.Dir(c.to), options)
}

// makePublic makes a directory that a web server can read, unless it exists.
func makePublic(path string) error {
	err := os.Mkdir(path, publishMode)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil
	case err != nil:
		return err
	}
	return os.Chmod(path, publishMode) // the umask of a service can forbid it
}

// logPublication logs a publication, unless it has only a new time.
func logPublication(logger *slog.Logger, made publish.Publication) {
	warnOfPublication(logger, made)
	if len(made.Files) > 0 {
		logger.Info("published", "version", made.Manifest.Version, "files", len(made.Files), "bytes", made.Bytes)
	}
}

// warnOfPublication logs what clients of a folder can miss.
func warnOfPublication(logger *slog.Logger, made publish.Publication) {
	if made.Anew != nil {
		logger.Error("the manifest in the folder is not continued", "reason", made.Anew)
	}
	for _, format := range made.Dropped {
		message := "the manifest no longer has the export " + format
		if lists.Format(format) == lists.JSONLines {
			message += ", which mirrors need"
		}
		logger.Warn(message)
	}
}

// logUnpublished logs the error of a publication.
func logUnpublished(logger *slog.Logger, err error) {
	message := "nothing is published; trying again"
	if errors.Is(err, publish.ErrNotCleaned) {
		message = "everything is published, but the folder is not cleaned; trying again"
	}
	logger.Error(message, "error", err)
}

// runPublish publishes once and prints what it has done, or publishes until ctx is canceled.
func (p program) runPublish(ctx context.Context, guard *apguard.Guard, c publishConfig) error {
	logger := slog.New(slog.NewTextHandler(p.stderr, nil))
	followers := c.newFollowers()
	replica := feed.NewReplica(feed.FromServices(guard.Assets, guard.Feed), feed.Options{Views: followers.views(), OnEvent: logFeed(logger)})
	publisher, err := newPublisher(publisherOf{guard, followers, replica.Refresh, func(time.Time) {}, logger}, c)
	if err != nil {
		return err
	}
	if c.every == 0 {
		made, err := publisher.Publish(ctx)
		if err != nil && !errors.Is(err, publish.ErrNotCleaned) {
			return err
		}
		warnOfPublication(logger, made)
		return errors.Join(err, json.NewEncoder(p.stdout).Encode(publishResult{
			Version: made.Manifest.Version.String(), Time: made.Manifest.Time, Files: len(made.Manifest.Files),
			Written: len(made.Files), Bytes: made.Bytes, Removed: made.Removed, Skipped: made.Skipped,
		}))
	}
	for _, key := range c.keys {
		logger.Info("publishing", "to", c.to, "key", key.Verifier())
	}
	if err := publisher.Run(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// publishResult is what the command prints after it has published once.
type publishResult struct {
	Version string    `json:"version"`
	Time    time.Time `json:"time"`
	// Files is the number of files of the manifest, and Written that of the new ones.
	Files   int   `json:"files"`
	Written int   `json:"written"`
	Bytes   int64 `json:"bytes"`
	Removed int   `json:"removed"`
	Skipped bool  `json:"skipped"`
}
