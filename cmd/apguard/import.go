package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists"
)

const importUsage = `Usage:
  server import -format F [-status S] [-reference TEXT] [-dry-run] [-refang] [-accounts] [-allowed]
                [-column NAME] [-allow-suffixes] [-partial] [-db DB] FILE

F is lines, domains, hosts, adblock, rpz, csv, jsonl or eth-phishing-detect. FILE is - for the
standard input. S is the status of entries without one of their own: BLOCKED (the default),
ALLOWED or UNKNOWN. TEXT is shown with each change and in the audit trail.

  -refang          reads hxxp as http, and [.] and (dot) as dots
  -accounts        takes words without @ for accounts (lines, csv and jsonl)
  -allowed         makes the whitelist ALLOWED, which is not taken otherwise (eth-phishing-detect)
  -column NAME     names the column with the contents (csv); content, canonical or url otherwise
  -allow-suffixes  also blocks public suffixes, such as github.io, which are refused otherwise
  -dry-run         stores nothing and says what would turn from ALLOWED to BLOCKED or back
  -partial         sets the other entries of a list even if more than half are refused

The counts are written to the standard output as JSON, and the first 1000 refused entries to the
standard error, with the counts of the others by reason. The standard input is first copied to a
temporary file, except in a dry run. An import can be repeated. DB is as for the server, which
must have been started on it once.

The exit status is 0 if the list was imported, 2 if the command line is wrong, and 3 if more than
half of the entries were refused. Nothing was changed then, unless -partial was given. It is 1 after
any other error. The entries before an error of the database stay set.
`

// exitMostlyRefused is the exit status for errMostlyRefused.
const exitMostlyRefused = 3

// errMostlyRefused reports that more than half of the entries of a list were refused.
var errMostlyRefused = errors.New("more than half of the entries were refused")

// importCommand has the values of the flags of server import.
type importCommand struct {
	db      database
	format  lists.Format
	options lists.ReadOptions
	origin  asset.Origin
	dryRun  bool
	// allowSuffixes confirms that public suffixes are to be BLOCKED.
	allowSuffixes bool
	// partial imports a list although most of it is refused.
	partial bool
	file    string
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
		return c.run(ctx, services.assets, input, stdout, newProgress(stderr))
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
	flags.BoolVar(&c.options.Allowed, "allowed", false, "")
	flags.StringVar(&c.options.Column, "column", "", "")
	flags.BoolVar(&c.allowSuffixes, "allow-suffixes", false, "")
	flags.BoolVar(&c.partial, "partial", false, "")
	var err error
	c.db, err = flags.parse(args, func() error {
		c.format, c.options.Status = lists.Format(format), asset.Status(status)
		switch {
		case !slices.Contains(lists.Readable(), c.format):
			return errors.New("-format must be lines, domains, hosts, adblock, rpz, csv, jsonl or eth-phishing-detect")
		case !c.options.Status.Valid():
			return errors.New("-status must be BLOCKED, ALLOWED or UNKNOWN")
		case c.options.Column != "" && c.format != lists.CSV:
			return errors.New("-column is only for -format csv")
		case c.options.Allowed && c.format != lists.PhishingDetect:
			return errors.New("-allowed is only for -format eth-phishing-detect")
		case flags.NArg() != 1:
			return errors.New("give one file after the flags, or - for the standard input")
		}
		c.file = flags.Arg(0)
		return nil
	})
	return c, err
}

// run imports the list, unless most of it is refused. A dry run reads the list once.
func (c importCommand) run(ctx context.Context, setter lists.Setter, input io.Reader, stdout io.Writer, told *progress) error {
	var survey lists.Counts
	if !c.dryRun {
		file, remove, err := rereadable(input)
		if err != nil {
			return fmt.Errorf("import: %w", err)
		}
		defer remove()
		input = file
		if survey, err = c.survey(ctx, input, told); err != nil {
			return fmt.Errorf("import: after 0 lines, 0 of them set: %w", err)
		}
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			return fmt.Errorf("import: %w", err)
		}
	}
	counts := survey
	if c.partial || !survey.MostlyRefused() {
		var err error
		if counts, err = c.set(ctx, setter, input, survey, told); err != nil {
			return fmt.Errorf("import: after %d lines, %d of them set: %w", counts.Lines, counts.Set, err)
		}
	}
	if err := json.NewEncoder(stdout).Encode(counts); err != nil {
		return err
	}
	switch {
	case !counts.MostlyRefused():
		return nil
	case c.partial || c.dryRun:
		return fmt.Errorf("import: %w", errMostlyRefused)
	default:
		return fmt.Errorf("import: %w: nothing was changed; see -partial", errMostlyRefused)
	}
}

// survey reads the list without a change. It prints the refused entries if most are refused.
func (c importCommand) survey(ctx context.Context, input io.Reader, told *progress) (lists.Counts, error) {
	var kept bytes.Buffer
	refused := newRefusals(newProgress(&kept))
	counts, err := lists.Survey(untilDone(ctx, lists.Read(input, c.format, c.options)), lists.ImportOptions{
		ConfirmSuffix: c.allowSuffixes, Refused: refused.add,
	})
	refused.end()
	if err == nil && counts.MostlyRefused() && !c.partial {
		told.say("%s", strings.TrimSuffix(kept.String(), "\n"))
	}
	return counts, err
}

// untilDone yields the entries until the context ends.
func untilDone(ctx context.Context, entries iter.Seq2[lists.Entry, error]) iter.Seq2[lists.Entry, error] {
	return func(yield func(lists.Entry, error) bool) {
		for entry, err := range entries {
			if err == nil {
				err = context.Cause(ctx)
			}
			if !yield(entry, err) || err != nil {
				return
			}
		}
	}
}

// rereadable returns the input if it is a regular file, or a copy of it in a temporary one. The function
// removes the copy.
func rereadable(input io.Reader) (file *os.File, remove func(), err error) {
	if file, ok := input.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			return file, func() {}, nil
		}
	}
	file, err = os.CreateTemp("", "import-*")
	if err != nil {
		return nil, nil, err
	}
	remove = func() {
		_ = file.Close() // it was written and read
		_ = os.Remove(file.Name())
	}
	if _, err = io.Copy(file, input); err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		remove()
		return nil, nil, err
	}
	return file, remove, nil
}

// set sets the statuses of the list.
func (c importCommand) set(ctx context.Context, setter lists.Setter, input io.Reader, survey lists.Counts, told *progress) (lists.Counts, error) {
	refused := newRefusals(told)
	counts, err := lists.Import(ctx, setter, lists.Read(input, c.format, c.options), lists.ImportOptions{
		Origin:        c.origin,
		ConfirmSuffix: c.allowSuffixes,
		DryRun:        c.dryRun,
		Format:        c.format,
		Survey:        survey,
		Refused:       refused.add,
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
	refused.end()
	told.end()
	return counts, err
}
