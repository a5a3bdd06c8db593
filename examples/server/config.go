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
)

// usageError is an error in the command line.
type usageError struct{ error }

type config struct {
	addr string
	db   string
	seed string
	base string
	// metrics is empty if there is no listener for metrics.
	metrics string
	drain   time.Duration
	// phishlist is empty if there is no phishing list.
	phishlist string
	// listInterval is the interval at which the phishing list is checked for changes.
	listInterval time.Duration
}

func parseFlags(args []string, stderr io.Writer) (config, error) {
	c := config{listInterval: listInterval}
	flags := flag.NewFlagSet("server", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // main prints the error
	flags.StringVar(&c.addr, "addr", "127.0.0.1:8080", "`HOST:PORT` to listen on; port 0 chooses a free port")
	flags.StringVar(&c.db, "db", defaultDB, "`DB` to use: the path of a SQLite file, \"memory\", or a postgres:// URL")
	flags.StringVar(&c.seed, "seed", "", "JSON `FILE` with the initial data of an empty database; default is a demo")
	flags.StringVar(&c.base, "base", "/api/v2", "base `PATH` of the API")
	flags.StringVar(&c.metrics, "metrics", "", "`HOST:PORT` of a separate listener for Prometheus metrics; default is none")
	flags.DurationVar(&c.drain, "drain", 0, "`TIME` to keep serving after a stop signal while /readyz returns 503, such as 10s,\nso that load balancers can stop routing first")
	flags.StringVar(&c.phishlist, "phishlist", "", "eth-phishing-detect list `FILE` to check disputed assets against; reloaded when it changes")
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		flags.SetOutput(stderr)
		flags.Usage()
		_, _ = io.WriteString(stderr, "\n"+keysUsage)
		return config{}, err
	}
	c.base = strings.TrimSuffix(c.base, "/")
	if err == nil {
		err = c.check(flags.Args())
	}
	if err != nil {
		return config{}, usageError{err}
	}
	return c, nil
}

// check returns an error for the first invalid flag or argument.
func (c config) check(rest []string) error {
	switch {
	case len(rest) > 0:
		return fmt.Errorf("unexpected argument %q", rest[0])
	case c.base != "" && !strings.HasPrefix(c.base, "/"):
		return errors.New("-base must begin with a slash")
	case c.base != "" && (path.Clean(c.base) != c.base || !plainPath.MatchString(c.base)):
		return errors.New("-base must be a plain path of letters, digits and -._~, such as /api/v2")
	case c.base == livePath || c.base == readyPath:
		return fmt.Errorf("-base must not be %s or %s, which are the paths of the probes", livePath, readyPath)
	case c.drain < 0:
		return errors.New("-drain must not be negative")
	case c.db == "memory" || isPostgres(c.db):
		return nil
	}
	return checkPath(c.db)
}

// plainPath matches paths of unreserved characters (RFC 3986, section 2.3). They need
// no escaping in a URL, in a pattern of http.ServeMux or in a shell.
var plainPath = regexp.MustCompile(`^(/[A-Za-z0-9._~-]+)+$`)
