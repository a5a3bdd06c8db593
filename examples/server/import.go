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
  server import -format F [-status S] [-reference TEXT] [-dry-run] [-refang] [-accounts] [-column NAME] [-allowed] [-allow-suffixes] [-db DB] FILE

F is lines, domains, hosts, csv, jsonl, eth-phishing-detect, adblock or rpz. FILE is - for the
standard input. S is the status of entries without one of their own: BLOCKED (the default), ALLOWED or UNKNOWN.
TEXT is shown with each change. -refang reads hxxp as http, and [.] and (dot) as dots.
-accounts takes a word without @ for an account; such words are refused otherwise. NAME is the
column of a CSV file that has the contents: content, or else url, if it is not given. -allowed
takes the whitelist of eth-phishing-detect as ALLOWED; otherwise it is only counted.
-allow-suffixes also blocks public suffixes, such as github.io, which are refused otherwise.
-dry-run stores nothing and says what would turn from ALLOWED to BLOCKED or back. The counts
are written to the standard output as JSON, and each refused entry to the standard error. An
import can be repeated. If more than half of the entries are refused, the exit status is 1, but
the others are set. DB is as for the server, which must have been started on it once.
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
	flags.BoolVar(&c.options.Accounts, "accounts", false, "")
	flags.StringVar(&c.options.Column, "column", "", "")
	flags.BoolVar(&c.options.Allowed, "allowed", false, "")
	flags.BoolVar(&c.allowSuffixes, "allow-suffixes", false, "")
	var err error
	c.db, err = flags.parse(args, func() error {
		c.format, c.options.Status = lists.Format(format), asset.Status(status)
		switch {
		case !slices.Contains(lists.Readable(), c.format):
			return errors.New("-format must be lines, domains, hosts, csv, jsonl, eth-phishing-detect, adblock or rpz")
		case c.options.Column != "" && c.format != lists.CSV:
			return errors.New("-column is for -format csv")
		case c.options.Allowed && c.format != lists.PhishingDetect:
			return errors.New("-allowed is for -format eth-phishing-detect")
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
	result := importResult{NotTaken: make(map[string]int)}
	c.options.NotTaken = func(kind string) { result.NotTaken[kind]++ }
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
	result.Counts = counts
	if err := json.NewEncoder(stdout).Encode(result); err != nil {
		return err
	}
	if 2*counts.Refused > counts.Lines {
		return fmt.Errorf("import: %w: %d of %d, while %d were set; the format may be another than %s", errMostlyRefused, counts.Refused, counts.Lines, counts.Set, c.format)
	}
	return nil
}

// errMostlyRefused reports that more than half of the entries of a list were refused.
var errMostlyRefused = errors.New("most entries were refused")

// importResult is what an import prints.
type importResult struct {
	lists.Counts
	// NotTaken has the numbers of entries that were neither set nor refused, by kind.
	NotTaken map[string]int `json:"notTaken,omitempty"`
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
