package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"github.com/apguard/apguard/feed/hashes"
	"github.com/apguard/apguard/publish"
)

// config is the configuration of a server.
type config struct {
	addr string
	db   database
	// defaultDB is the database without a flag or an environment variable.
	defaultDB string
	seed      string
	// demo makes the server fill an empty database with a demo, and listen only on loopback addresses.
	demo bool
	base string
	// metrics, operator and phishing are empty if there is no listener for metrics, for operators or for
	// MetaMask's clients.
	metrics  string
	operator string
	phishing string
	// console is the directory of a page for operators, or empty.
	console string
	// signInHeader is the header with the e-mail address of a person whom the proxies have authenticated, or empty.
	signInHeader string
	// readOnly makes the server serve only reads.
	readOnly bool
	// memory makes the server answer checks from a copy in memory.
	memory bool
	// snapshot is the file for what is in memory, or empty.
	snapshot string
	// hashes makes the server give hash lists to clients.
	hashes bool
	// publicHashes gives them to everybody, and hashesWait is how long clients must wait between requests.
	publicHashes bool
	hashesWait   time.Duration
	// origins are those of pages that may check contents.
	origins []string
	// refuseBlocked keeps organizations from allowing BLOCKED assets.
	refuseBlocked bool
	// fourEyes makes operators approve what others do to many.
	fourEyes bool
	// pruneAge is the age from which on operators may prune records.
	pruneAge time.Duration
	// privateWebhooks allows webhook endpoints in the server's own network.
	privateWebhooks bool
	// protected is the file of protected hosts, or empty.
	protected string
	// privateLists allows lists whose files are in the server's own network.
	privateLists bool
	// publish makes the server publish files.
	publish        publishConfig
	limits         limits
	maxConnections int
	stop           stopTimes
	// phishlist is empty if there is no phishing list.
	phishlist string
	// listInterval is the interval at which the phishing list is checked for changes.
	listInterval time.Duration
}

// flags returns the flags of a server.
func (c *config) flags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "addr", Value: "127.0.0.1:8080", Usage: "`HOST:PORT` to listen on; port 0 chooses a free port", Destination: &c.addr},
		&cli.StringFlag{
			Name: flagDB, DefaultText: c.defaultDB,
			Usage: "`DB` to use: the path of a SQLite file, \"memory\", or a postgres:// URL; without the flag, that of the " +
				"environment variable APGUARD_DB, or of the file that APGUARD_DB_FILE names",
		},
		&cli.StringFlag{Name: "base", Value: defaultBase, Usage: "base `PATH` of the API", Destination: &c.base},
		&cli.StringFlag{
			Name: "operator", Value: c.operator, Destination: &c.operator,
			Usage: "`HOST:PORT` of a separate listener for the operators' API, at /operator",
		},
		&cli.StringFlag{Name: "metrics", Usage: "`HOST:PORT` of a separate listener for Prometheus metrics", Destination: &c.metrics},
		&cli.StringFlag{
			Name: "phishing-api", Destination: &c.phishing,
			Usage: "`HOST:PORT` of a separate listener for MetaMask's phishing detection, which needs no key",
		},
		&cli.BoolFlag{
			Name: "memory", Destination: &c.memory,
			Usage: "answer checks from a copy of the statuses in memory; it takes 80 MB for 1,000,000 assets",
		},
		snapshotFlag(&c.snapshot),
		&cli.BoolFlag{
			Name: "hashes", Destination: &c.hashes,
			Usage: "give hash lists to clients that check without the server; they take 35 MB of memory for 1,000,000 assets",
		},
		&cli.BoolFlag{
			Name: "public-hashes", Destination: &c.publicHashes,
			Usage: "with -hashes, give them without a key; everybody can then find out the status of an asset that they guess",
		},
		&cli.DurationFlag{
			Name: "hashes-wait", Value: hashes.DefaultMinimumWait, Destination: &c.hashesWait,
			Usage: "`TIME` that clients with hash lists must wait between two requests",
		},
		&cli.StringSliceFlag{
			Name: "allow-origin", Destination: &c.origins, Config: cli.StringConfig{TrimSpace: true},
			Usage: "`ORIGINS` of pages that may check contents and get hash lists, such as https://wallet.example or " +
				"chrome-extension://ID, separated by commas",
		},
		&cli.BoolFlag{
			Name: "refuse-blocked", Destination: &c.refuseBlocked,
			Usage: "refuse to add to an allowlist what is BLOCKED itself or by its domain, which would make it ALLOWED for everybody",
		},
		fourEyesFlag(&c.fourEyes),
		pruneAgeFlag(&c.pruneAge),
		privateWebhooksFlag(&c.privateWebhooks),
		privateListsFlag(&c.privateLists),
		protectedFlag(&c.protected),
		&cli.FloatFlag{
			Name: "rate", Value: 100, Destination: &c.limits.rate,
			Usage: "`NUMBER` of requests a second that each key may make on average; 0 for no limit, not even of failed authentications",
		},
		&cli.IntFlag{Name: "burst", Value: 1000, Usage: "`NUMBER` of requests that each key may make at once", Destination: &c.limits.burst},
		&cli.IntFlag{
			Name: "max-connections", Value: 1000, Destination: &c.maxConnections,
			Usage: "maximum `NUMBER` of open connections; beyond it, those that wait for a request are closed",
		},
		&cli.DurationFlag{
			Name: "drain", Destination: &c.stop.drain, HideDefault: true,
			Usage: "`TIME` to keep serving after a stop signal while /readyz returns 503, such as 10s, so that load " +
				"balancers can stop routing first",
		},
		&cli.DurationFlag{
			Name: "grace", Value: 10 * time.Second, Destination: &c.stop.grace,
			Usage: "`TIME` for requests to finish after a stop signal and the drain; then their connections are closed",
		},
		&cli.StringFlag{
			Name: "phishlist", Destination: &c.phishlist, TakesFile: true,
			Usage: "eth-phishing-detect list `FILE` to ask about checked and disputed assets; reloaded when it changes",
		},
	}
}

// ownFlags returns the flags that a demo does not have.
func (c *config) ownFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "seed", Usage: "JSON `FILE` with the initial data of an empty database", Destination: &c.seed, TakesFile: true},
		&cli.BoolFlag{
			Name: "read-only", Destination: &c.readOnly,
			Usage: "serve only reads, of a PostgreSQL database that another server writes, and preferably from a standby",
		},
		&cli.StringFlag{
			Name: "console", Destination: &c.console,
			Usage: "`DIR` of \"apguard console build\" to serve on the -operator listener, with both APIs and a sign-in",
		},
		&cli.GenericFlag{
			Name: "trust-proxy", Value: &c.limits.proxies, HideDefault: true,
			Usage: "`ADDRESSES` of the proxies in front of the server, whose X-Forwarded-For header is trusted, such as " +
				"10.0.0.7 or 10.0.0.0/8,fd00::/8",
		},
		&cli.StringFlag{
			Name: "sign-in-header", Destination: &c.signInHeader,
			Usage: "`NAME` of a header, such as X-Forwarded-Email, in which the proxies of -trust-proxy name a person whom they " +
				"have authenticated; the person signs in to the console with the rights of their key that is named \"sign-in\"",
		},
		&cli.StringFlag{
			Name: "publish", Destination: &c.publish.to,
			Usage: "`DIR` to which hash lists are published every minute, as signed files for a web server; it is created, but not its parent",
		},
		exportsFlag("publish-exports", &c.publish.exports),
		signingKeyFlag(&c.publish.keyFile),
	}
}

// serve returns the command that serves a database.
func (p program) serve() *cli.Command {
	return p.serveWith(func(ctx context.Context, c config) error { return runServer(ctx, c, p.stdout, p.stderr) })
}

// serveWith returns the command serve with another action.
func (p program) serveWith(act func(context.Context, config) error) *cli.Command {
	c := &config{defaultDB: defaultDB}
	command := p.server(c, act)
	command.Name = "serve"
	command.Usage = "serve the API"
	command.Description = `Serves until it is interrupted. A second interrupt ends it at once. A SQLite file is created if it does not
exist.`
	command.Flags = append(command.Flags, c.ownFlags()...)
	return command
}

// server returns a command whose action gets the configuration of a server.
func (p program) server(c *config, act func(context.Context, config) error) *cli.Command {
	c.listInterval = listInterval
	return &cli.Command{
		Flags: c.flags(),
		Action: func(ctx context.Context, command *cli.Command) error {
			if err := c.complete(command, p.env); err != nil {
				return wrongUsage(command, err)
			}
			return act(ctx, *c)
		},
	}
}

// complete chooses the database and validates the configuration.
func (c *config) complete(command *cli.Command, env environment) (err error) {
	c.base = strings.TrimSuffix(c.base, "/")
	if err := cmp.Or(noArguments(command), c.check()); err != nil {
		return err
	}
	if c.db, err = chooseDatabase(command, env, c.defaultDB); err != nil {
		return err
	}
	if c.readOnly && !c.db.isPostgres() {
		return errors.New("-read-only needs a postgres:// URL")
	}
	return c.completePublish(env)
}

// completePublish completes the configuration of the publisher.
func (c *config) completePublish(env environment) error {
	c.publish.every, c.publish.exportsEvery, c.publish.keep = publish.DefaultInterval, publish.DefaultExportInterval, publish.DefaultKeep
	c.publish.toFlag, c.publish.exportsFlag = "-publish", "-publish-exports"
	switch {
	case c.publish.to != "":
		return c.publish.complete(env)
	case len(c.publish.exports) > 0:
		return errors.New("-publish-exports needs -publish")
	case c.publish.keyFile != "":
		return errors.New("-signing-key-file needs -publish")
	}
	return nil
}

// defaultBase is the base path of the API unless -base is given.
const defaultBase = "/api/v2"

// checkBase returns an error if the flag -base is invalid.
func checkBase(base string) error {
	switch {
	case base == "":
		return nil
	case !strings.HasPrefix(base, "/"):
		return errors.New("-base must begin with a slash")
	case path.Clean(base) != base || !plainPath.MatchString(base):
		return errors.New("-base must be a plain path of letters, digits and -._~, such as " + defaultBase)
	case base == livePath || base == readyPath:
		return fmt.Errorf("-base must not be %s or %s, which are the paths of the probes", livePath, readyPath)
	}
	return nil
}

// check returns an error for the first invalid flag.
func (c *config) check() error {
	if err := checkBase(c.base); err != nil {
		return err
	}
	switch {
	case !(c.limits.rate >= 0 && c.limits.rate <= maxRate): // NaN is neither
		return fmt.Errorf("-rate must be from 0 to %d", maxRate)
	case c.limits.burst < 1 || c.limits.burst > maxRate:
		return fmt.Errorf("-burst must be from 1 to %d", maxRate)
	case c.console != "" && c.operator == "":
		return errors.New("-console needs -operator")
	case c.signInHeader != "" && len(c.limits.proxies) == 0:
		return errors.New("-sign-in-header needs -trust-proxy, because everybody else can send the header")
	case c.signInHeader != "" && c.console == "":
		return errors.New("-sign-in-header needs -console")
	case c.signInHeader != "" && !plainHeader.MatchString(c.signInHeader):
		return errors.New("-sign-in-header must have letters, digits and hyphens, such as X-Forwarded-Email")
	case c.readOnly && c.seed != "":
		return errors.New("-seed cannot be used with -read-only, which writes nothing")
	case c.publicHashes && !c.hashes:
		return errors.New("-public-hashes needs -hashes")
	case c.snapshot != "" && !c.memory && !c.hashes && c.phishing == "" && c.publish.to == "":
		return errors.New("-snapshot needs -memory, -hashes, -phishing-api or -publish")
	case c.hashesWait <= 0:
		return errors.New("-hashes-wait must be positive")
	case c.maxConnections < 2:
		return errors.New("-max-connections must be at least 2")
	case c.stop.drain < 0:
		return errors.New("-drain must not be negative")
	case c.stop.grace < 0:
		return errors.New("-grace must not be negative")
	}
	return nil
}

// plainPath matches paths of unreserved characters (RFC 3986, section 2.3). They need
// no escaping in a URL, in a pattern of http.ServeMux or in a shell.
var plainPath = regexp.MustCompile(`^(/[A-Za-z0-9._~-]+)+$`)

// plainHeader matches names of headers that all proxies pass on: some drop others, or take an underscore for a hyphen.
var plainHeader = regexp.MustCompile(`^[A-Za-z0-9-]+$`)

func fourEyesFlag(to *bool) cli.Flag {
	return &cli.BoolFlag{
		Name: "four-eyes", Destination: to, Local: true,
		Usage: "let another operator approve when one blocks a protected asset, confirms a sync that was stopped, or removes a list",
	}
}
