package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"
	"time"

	"github.com/apguard/apguard/check/hashlist/origin"
)

var errUnexpectedArgument = errors.New("unexpected argument")

// usageError is an error in the command line.
type usageError struct{ error }

type config struct {
	addr string
	db   database
	seed string
	// demo allows the demo in an empty database.
	demo bool
	base string
	// metrics, operator and phishing are empty if there is no listener for metrics, for operators or for
	// MetaMask's clients.
	metrics  string
	operator string
	phishing string
	// readOnly makes the server serve only reads.
	readOnly bool
	// hashes makes the server give hash lists to clients.
	hashes bool
	// publicHashes gives them to everybody, and hashesWait is how long clients must wait between requests.
	publicHashes bool
	hashesWait   time.Duration
	// origins are those of pages that may check contents.
	origins []string
	// refuseBlocked keeps organizations from allowing BLOCKED assets.
	refuseBlocked bool
	// privateWebhooks allows webhook endpoints in the server's own network.
	privateWebhooks bool
	limits          limits
	maxConnections  int
	stop            stopTimes
	// phishlist is empty if there is no phishing list.
	phishlist string
	// listInterval is the interval at which the phishing list is checked for changes.
	listInterval time.Duration
	// version makes the program print its version instead of serving.
	version bool
}

func parseFlags(args []string, env environment, stderr io.Writer) (config, error) {
	c := config{listInterval: listInterval}
	flags := flag.NewFlagSet("server", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // main prints the error
	flags.BoolVar(&c.version, "version", false, "print the version of the program and that of Go")
	flags.StringVar(&c.addr, "addr", "127.0.0.1:8080", "`HOST:PORT` to listen on; port 0 chooses a free port")
	flags.String(flagDB, "", "`DB` to use: the path of a SQLite file, \"memory\", or a postgres:// URL. Without the flag, the\nenvironment variable APGUARD_DB has it, or the file that APGUARD_DB_FILE names. Default is "+demoDB+"\nfor the demo, and otherwise "+defaultDB)
	flags.StringVar(&c.seed, "seed", "", "JSON `FILE` with the initial data of an empty database")
	flags.BoolVar(&c.demo, "demo", true, "fill an empty database with a demo and show its key, unless there is a -seed, a -trust-proxy,\nor an -addr that is not a loopback address")
	flags.StringVar(&c.base, "base", "/api/v2", "base `PATH` of the API")
	flags.StringVar(&c.metrics, "metrics", "", "`HOST:PORT` of a separate listener for Prometheus metrics; default is none")
	flags.StringVar(&c.operator, "operator", "", "`HOST:PORT` of a separate listener for the operators' API, at /operator; default is none")
	flags.StringVar(&c.phishing, "phishing-api", "", "`HOST:PORT` of a separate listener for MetaMask's phishing detection, which needs no key; default is none")
	flags.BoolVar(&c.readOnly, "read-only", false, "serve only reads, of a PostgreSQL database that another server writes, and preferably from a standby")
	flags.BoolVar(&c.hashes, "hashes", false, "give hash lists to clients that check without the server; they take 35 MB of memory for 1,000,000 assets")
	flags.BoolVar(&c.publicHashes, "public-hashes", false, "with -hashes, give them without a key; everybody can then find out the status of an asset that they guess")
	flags.DurationVar(&c.hashesWait, "hashes-wait", origin.DefaultMinimumWait, "`TIME` that clients with hash lists must wait between two requests")
	flags.Func("allow-origin", "`ORIGINS` of pages that may check contents and get hash lists, such as https://wallet.example or\nchrome-extension://ID, separated by commas", listOf(&c.origins))
	flags.BoolVar(&c.refuseBlocked, "refuse-blocked", false, "refuse to add to an allowlist what is BLOCKED itself or by its domain, which would make it ALLOWED for everybody")
	flags.BoolVar(&c.privateWebhooks, flagPrivateWebhooks, false, "let webhook endpoints have http and addresses that are not public; who may create them can then reach\nthe server's own network")
	flags.Float64Var(&c.limits.rate, "rate", 100, "`NUMBER` of requests a second that each key may make on average; 0 for no limit, not even of failed\nauthentications")
	flags.IntVar(&c.limits.burst, "burst", 1000, "`NUMBER` of requests that each key may make at once")
	flags.Var(&c.limits.proxies, "trust-proxy", "`ADDRESSES` of the proxies in front of the server, whose X-Forwarded-For header is trusted, such as\n10.0.0.7 or 10.0.0.0/8,fd00::/8")
	flags.IntVar(&c.maxConnections, "max-connections", 1000, "maximum `NUMBER` of open connections; beyond it, those that wait for a request are closed")
	flags.DurationVar(&c.stop.drain, "drain", 0, "`TIME` to keep serving after a stop signal while /readyz returns 503, such as 10s,\nso that load balancers can stop routing first")
	flags.DurationVar(&c.stop.grace, "grace", 10*time.Second, "`TIME` for requests to finish after a stop signal and the drain; then their connections are\nclosed")
	flags.StringVar(&c.phishlist, "phishlist", "", "eth-phishing-detect list `FILE` to ask about checked and disputed assets; reloaded when it changes")
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		flags.SetOutput(stderr)
		flags.Usage()
		_, _ = io.WriteString(stderr, "\n"+organizationsUsage+"\n"+usersUsage+"\n"+keysUsage+"\n"+webhooksUsage+"\n"+eraseUsage+"\n"+auditUsage+"\n"+importUsage+"\n"+exportUsage)
		return config{}, err
	}
	if err == nil && c.version {
		return c, nil
	}
	c.base = strings.TrimSuffix(c.base, "/")
	if err == nil {
		err = c.check(flags.Args())
	}
	if err == nil {
		c.db, err = chooseDatabase(flags, env)
	}
	if err == nil && c.readOnly && !c.db.isPostgres() {
		err = errors.New("-read-only needs a postgres:// URL")
	}
	if err != nil {
		return config{}, usageError{err}
	}
	return c, nil
}

// check returns an error for the first invalid flag or argument. It does not show an
// argument, which may be a part of a connection string.
func (c config) check(rest []string) error {
	switch {
	case len(rest) > 0:
		return errUnexpectedArgument
	case c.base != "" && !strings.HasPrefix(c.base, "/"):
		return errors.New("-base must begin with a slash")
	case c.base != "" && (path.Clean(c.base) != c.base || !plainPath.MatchString(c.base)):
		return errors.New("-base must be a plain path of letters, digits and -._~, such as /api/v2")
	case c.base == livePath || c.base == readyPath:
		return fmt.Errorf("-base must not be %s or %s, which are the paths of the probes", livePath, readyPath)
	case !(c.limits.rate >= 0 && c.limits.rate <= maxRate): // NaN is neither
		return fmt.Errorf("-rate must be from 0 to %d", maxRate)
	case c.limits.burst < 1 || c.limits.burst > maxRate:
		return fmt.Errorf("-burst must be from 1 to %d", maxRate)
	case c.readOnly && c.seed != "":
		return errors.New("-seed cannot be used with -read-only, which writes nothing")
	case c.publicHashes && !c.hashes:
		return errors.New("-public-hashes needs -hashes")
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
