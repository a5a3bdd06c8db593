package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists"
)

const importUsage = `Usage:
  server import -format F [-status S] [-reference TEXT] [-dry-run] [-refang] [-allow-suffixes] [-db DB] FILE

F is lines, hosts, csv, jsonl or eth-phishing-detect. FILE is - for the standard input. S is
the status of entries without one of their own: BLOCKED (the default), ALLOWED or UNKNOWN.
TEXT is shown with each change. -refang reads hxxp as http, and [.] and (dot) as dots.
-allow-suffixes also blocks public suffixes, such as github.io, which are refused otherwise.
-dry-run stores nothing and says what would turn from ALLOWED to BLOCKED or back. The counts
are written to the standard output as JSON, and each refused entry to the standard error. An
import can be repeated. DB is as for the server, which must have been started on it once.
`

// importCommand has the values of the flags of server import.
type importCommand struct {
	db      database
	format  lists.Format
	options lists.ReadOptions
	origin  asset.Origin
	dryRun  bool
	// allowSuffixes confirms that public suffixes are to be BLOCKED.
	allowSuffixes bool
	file          string
}

// runImport imports a list into a database. A server may use the database at the same time.
func runImport(ctx context.Context, args []string, env environment, stdin io.Reader, stdout, stderr io.Writer) error {
	c, err := parseImport(args, env, stderr)
	if err != nil {
		return err
	}
	input := stdin
	if c.file != "-" {
		file, err := os.Open(c.file)
		if err != nil {
			return err
		}
		defer file.Close() //nolint:errcheck // it is only read
		input = file
	}
	return withAssets(ctx, c.db, func(services assetServices) error {
		return c.run(ctx, services.assets, input, stdout, stderr)
	})
}

// assetServices are the services that import and export use.
type assetServices struct {
	assets *asset.Service
	feed   *asset.FeedService
}

// withAssets calls a function with the services on a database.
func withAssets(ctx context.Context, db database, use func(assetServices) error) (err error) {
	store, err := db.openExisting(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	return use(assetServices{asset.NewService(store, asset.Options{}), asset.NewFeedService(store)})
}

func parseImport(args []string, env environment, stderr io.Writer) (importCommand, error) {
	var (
		c              importCommand
		format, status string
	)
	flags := newCommand("import", importUsage, env, stderr)
	flags.StringVar(&format, "format", "", "")
	flags.StringVar(&status, "status", string(asset.StatusBlocked), "")
	flags.StringVar(&c.origin.Reference, "reference", "", "")
	flags.BoolVar(&c.dryRun, "dry-run", false, "")
	flags.BoolVar(&c.options.Refang, "refang", false, "")
	flags.BoolVar(&c.allowSuffixes, "allow-suffixes", false, "")
	var err error
	c.db, err = flags.parse(args, func() error {
		c.format, c.options.Status = lists.Format(format), asset.Status(status)
		switch {
		case !slices.Contains(lists.Readable(), c.format):
			return errors.New("-format must be lines, hosts, csv, jsonl or eth-phishing-detect")
		case !c.options.Status.Valid():
			return errors.New("-status must be BLOCKED, ALLOWED or UNKNOWN")
		case flags.NArg() != 1:
			return errors.New("give one file after the flags, or - for the standard input")
		}
		c.file = flags.Arg(0)
		return nil
	})
	return c, err
}

func (c importCommand) run(ctx context.Context, setter lists.Setter, input io.Reader, stdout, stderr io.Writer) error {
	told := newProgress(stderr)
	counts, err := lists.Import(ctx, setter, lists.Read(input, c.format, c.options), lists.ImportOptions{
		Origin:        c.origin,
		ConfirmSuffix: c.allowSuffixes,
		DryRun:        c.dryRun,
		Refused: func(e lists.Entry) {
			told.say("%s", refusalText(e))
		},
		Turned: func(e lists.Entry, from asset.Status) {
			would := "turns"
			if c.dryRun {
				would = "would turn"
			}
			told.say("line %d: %s %s from %s to %s", e.Line, plain(e.Identity.Canonical), would, from, e.Status)
		},
		Opposed: func(e lists.Entry, other asset.Asset) {
			told.say("line %d: %s would be %s, but %s is %s", e.Line, plain(e.Identity.Canonical), e.Status, plain(other.Canonical), other.Status)
		},
		Progress: func(counts lists.Counts) {
			told.show("%d lines, %d set, %d unchanged, %d refused", counts.Lines, counts.Set, counts.Unchanged, counts.Refused)
		},
	})
	told.end()
	if err != nil {
		return fmt.Errorf("import: after %d lines, %d of them set: %w", counts.Lines, counts.Set, err)
	}
	return json.NewEncoder(stdout).Encode(counts)
}

// refusalText says where a refused entry is, why it is refused, and what it is. Control characters
// are quoted.
func refusalText(e lists.Entry) string {
	where, reason, text := fmt.Sprintf("line %d", e.Line), e.Err.Error(), cmp.Or(e.Text, e.Identity.Canonical)
	if e.Position != "" {
		where += ", " + e.Position
	}
	if errors.Is(e.Err, asset.ErrPublicSuffix) {
		reason = "blocks a public suffix, which takes -allow-suffixes"
	}
	if text == "" {
		return where + ": refused: " + reason
	}
	return where + ": refused: " + reason + ": " + strconv.Quote(text)
}
