package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"
	"time"

	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/storage/postgres"
	"github.com/apguard/apguard/storage/sqlite"
)

// usageError says what is wrong with the command line.
type usageError struct{ error }

type config struct {
	addr string
	db   string
	seed string
	base string
	// metrics is empty for none.
	metrics string
	drain   time.Duration
	// phishlist is empty for none.
	phishlist string
	// listInterval is how often the server looks whether the phishing list has changed.
	listInterval time.Duration
}

func parseFlags(args []string, stderr io.Writer) (config, error) {
	c := config{listInterval: listInterval}
	flags := flag.NewFlagSet("server", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // main prints the error
	flags.StringVar(&c.addr, "addr", "127.0.0.1:8080", "`HOST:PORT` to listen on; port 0 picks a free one")
	flags.StringVar(&c.db, "db", defaultDB, "`PATH` of the SQLite file, \"memory\", or a postgres:// URL")
	flags.StringVar(&c.seed, "seed", "", "JSON `FILE` that fills an empty store, instead of the demo")
	flags.StringVar(&c.base, "base", "/api/v2", "`PATH` under which the operations are mounted")
	flags.StringVar(&c.metrics, "metrics", "", "`HOST:PORT` to serve Prometheus metrics on, apart from the operations")
	flags.DurationVar(&c.drain, "drain", 0, "`TIME` to go on serving, such as 5s, after the signal to stop; /readyz answers 503 meanwhile")
	flags.StringVar(&c.phishlist, "phishlist", "", "`FILE` with an eth-phishing-detect list to ask about disputed hosts; it may change while the server runs")
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

// check says what is wrong with the command line, if anything.
func (c config) check(rest []string) error {
	switch {
	case len(rest) > 0:
		return fmt.Errorf("unexpected argument %q", rest[0])
	case c.base != "" && !strings.HasPrefix(c.base, "/"):
		return errors.New("-base must begin with a slash")
	case c.base != "" && (path.Clean(c.base) != c.base || !plainPath.MatchString(c.base)):
		return errors.New("-base must be a plain path such as /api/v2, of letters, digits and -._~")
	case c.base == livePath || c.base == readyPath:
		return fmt.Errorf("-base must not be the path of a probe, %s or %s", livePath, readyPath)
	case c.drain < 0:
		return errors.New("-drain must not be negative")
	case c.db == "memory" || isPostgres(c.db):
		return nil
	}
	return checkPath(c.db)
}

// connectionString is how databases are named that are no files.
var connectionString = regexp.MustCompile(`^\s*\w+\s*=|://`)

// checkPath refuses to take the name of a database, which may hold a password, for
// that of a file.
func checkPath(db string) error {
	if connectionString.MatchString(db) {
		return errors.New("-db must be the path of a file, memory, or a URL that begins with postgres://")
	}
	return nil
}

// plainPath is a path of unreserved characters (RFC 3986, section 2.3), which
// stand for themselves in a URL, in a pattern of http.ServeMux and in a shell.
var plainPath = regexp.MustCompile(`^(/[A-Za-z0-9._~-]+)+$`)

func isPostgres(db string) bool {
	return strings.HasPrefix(db, "postgres://") || strings.HasPrefix(db, "postgresql://")
}

// defaultDB is the SQLite file that is used when nobody says otherwise.
const defaultDB = "apguard.db"

// databaseName names the database for people. Of a URL it tells nothing, as there are
// many ways to write a password in one; the error of the store names the host.
func databaseName(db string) string {
	if isPostgres(db) {
		return "postgres://..."
	}
	return db
}

func openStore(ctx context.Context, db string) (storage.Store, error) {
	switch {
	case db == "memory":
		return memory.New(), nil
	case isPostgres(db):
		return postgres.Open(ctx, db, postgres.Options{})
	default:
		return sqlite.Open(ctx, db, sqlite.Options{})
	}
}
