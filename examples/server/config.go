package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/apguard/apguard/storage"
	"github.com/apguard/apguard/storage/memory"
	"github.com/apguard/apguard/storage/sqlite"
)

// errUsage: the command line is wrong.
var errUsage = errors.New("usage")

type config struct {
	addr string
	db   string
	seed string
	base string
}

func parseFlags(args []string, stderr io.Writer) (config, error) {
	var c config
	flags := flag.NewFlagSet("server", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&c.addr, "addr", "127.0.0.1:8080", "`HOST:PORT` to listen on; port 0 picks a free one")
	flags.StringVar(&c.db, "db", "apguard.db", "`PATH` of the SQLite file, or \"memory\"")
	flags.StringVar(&c.seed, "seed", "", "JSON `FILE` that fills an empty store, instead of the demo")
	flags.StringVar(&c.base, "base", "/api/v2", "`PATH` under which the operations are mounted")
	phishlist := flags.String("phishlist", "", "`FILE` with an eth-phishing-detect list (not supported yet)")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return config{}, err
	} else if err != nil {
		return config{}, fmt.Errorf("%w: %w", errUsage, err)
	}
	c.base = strings.TrimRight(c.base, "/")
	if problem := c.problem(flags.Args(), *phishlist); problem != "" {
		return config{}, fmt.Errorf("%w: %s", errUsage, problem)
	}
	return c, nil
}

// problem says what is wrong with the command line, if anything.
func (c config) problem(rest []string, phishlist string) string {
	switch {
	case len(rest) > 0:
		return fmt.Sprintf("unexpected argument %q", rest[0])
	case c.base != "" && !strings.HasPrefix(c.base, "/"):
		return "-base must begin with a slash"
	case strings.ContainsAny(c.base, "{} \t?#"):
		return "-base must be a plain path"
	case phishlist != "":
		return "-phishlist is not supported yet"
	case isPostgres(c.db):
		return "-db: PostgreSQL is not supported yet; give a path or \"memory\""
	}
	return ""
}

func isPostgres(db string) bool {
	return strings.HasPrefix(db, "postgres://") || strings.HasPrefix(db, "postgresql://")
}

func openStore(ctx context.Context, db string) (storage.Store, error) {
	if db == "memory" {
		return memory.New(), nil
	}
	return sqlite.Open(ctx, db, sqlite.Options{})
}
