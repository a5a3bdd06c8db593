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
	"time"

	"github.com/urfave/cli/v3"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/storage"
)

// errMostlyRefused reports that more than half of the entries of a list were refused.
const errMostlyRefused = negativeError("more than half of the entries were refused")

// listImport has the values of the flags of apguard import.
type listImport struct {
	format  lists.Format
	options lists.ReadOptions
	origin  asset.Origin
	dryRun  bool
	// allowProtected confirms that protected assets are to be BLOCKED.
	allowProtected bool
	protected      string
	// partial imports a list although most of it is refused.
	partial bool
	file    string
}

// importList returns the command that imports a list into a database.
func (p program) importList() *cli.Command {
	i := new(listImport)
	return &cli.Command{
		Name:      "import",
		Usage:     "set the statuses of a list",
		ArgsUsage: "FILE",
		Description: `FILE is - for the standard input, which is first copied to a temporary file, except in a dry run. The counts
are written to the standard output as JSON, and the first 1000 refused entries to the standard error, with the
counts of the others by reason. An import can be repeated.

The exit status is 3 if more than half of the entries were refused. Nothing was changed then, unless -partial was
given. The entries before an error of the database stay set.`,
		Flags: i.flags(),
		Action: p.onStore(i.check, func(ctx context.Context, store storage.Store) error {
			protected, err := protectedNames(i.protected)
			if err != nil {
				return err
			}
			input, done, err := p.openInput(i.file)
			if err != nil {
				return err
			}
			defer done()
			assets := apguard.New(store, apguard.Options{Protected: protected}).Assets
			return i.run(ctx, assets, input, p.stdout, newProgress(p.stderr))
		}),
	}
}

func (i *listImport) flags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{
			Name: "format", Destination: (*string)(&i.format),
			Usage: "`FORMAT` of the list: lines, domains, hosts, adblock, rpz, csv, jsonl or eth-phishing-detect",
		},
		&cli.StringFlag{
			Name: "status", Destination: (*string)(&i.options.Status), Value: string(asset.StatusBlocked),
			Usage: "`STATUS` of entries without one of their own: BLOCKED, ALLOWED or UNKNOWN",
		},
		&cli.StringFlag{
			Name: "reference", Destination: &i.origin.Reference,
			Usage: "`TEXT` that is shown with each change and in the audit trail",
		},
		&cli.BoolFlag{Name: "dry-run", Usage: "store nothing, and say what would turn from ALLOWED to BLOCKED or back", Destination: &i.dryRun},
		&cli.BoolFlag{Name: "refang", Usage: "read hxxp as http, and [.] and (dot) as dots", Destination: &i.options.Refang},
		&cli.BoolFlag{Name: "accounts", Usage: "take words without @ for accounts (lines, csv and jsonl)", Destination: &i.options.Accounts},
		&cli.BoolFlag{
			Name: "allowed", Destination: &i.options.Allowed,
			Usage: "make the whitelist ALLOWED, which is not taken otherwise (eth-phishing-detect)",
		},
		&cli.StringFlag{
			Name: "column", Destination: &i.options.Column, DefaultText: "content, canonical or url",
			Usage: "`NAME` of the column with the contents (csv)",
		},
		&cli.BoolFlag{
			Name: "allow-protected", Destination: &i.allowProtected,
			Usage: "also block protected hosts, such as github.io and x.com, and what is on allowlists, which are refused otherwise",
		},
		protectedFlag(&i.protected),
		&cli.BoolFlag{Name: "partial", Usage: "set the other entries of a list even if more than half are refused", Destination: &i.partial},
		dbFlag(),
	}
}

// check validates the command line.
func (i *listImport) check(c *cli.Command) error {
	switch {
	case !slices.Contains(lists.Readable(), i.format):
		return errors.New("-format must be lines, domains, hosts, adblock, rpz, csv, jsonl or eth-phishing-detect")
	case !i.options.Status.Valid():
		return errors.New("-status must be BLOCKED, ALLOWED or UNKNOWN")
	case i.options.Column != "" && i.format != lists.CSV:
		return errors.New("-column is only for -format csv")
	case i.options.Allowed && i.format != lists.PhishingDetect:
		return errors.New("-allowed is only for -format eth-phishing-detect")
	case c.NArg() != 1:
		return errors.New("give one file, or - for the standard input")
	}
	i.file, i.options.At = c.Args().First(), time.Now()
	return nil
}

// run imports the list, unless most of it is refused. A dry run reads the list once.
func (i *listImport) run(ctx context.Context, setter lists.Setter, input io.Reader, stdout io.Writer, told *progress) error {
	var survey lists.Counts
	if !i.dryRun {
		file, remove, err := rereadable(input)
		if err != nil {
			return fmt.Errorf("import: %w", err)
		}
		defer remove()
		input = file
		if survey, err = i.survey(ctx, input, told); err != nil {
			return fmt.Errorf("import: after 0 lines, 0 of them set: %w", err)
		}
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			return fmt.Errorf("import: %w", err)
		}
	}
	counts := survey
	if i.partial || !survey.MostlyRefused() {
		var err error
		if counts, err = i.set(ctx, setter, input, survey, told); err != nil {
			return fmt.Errorf("import: after %d lines, %d of them set: %w", counts.Lines, counts.Set, err)
		}
	}
	if i.dryRun {
		survey = counts
	}
	stopped := survey.MostlyRefused() && !i.partial
	if stopped { // a dry run has counted what the other entries would do
		counts.Set, counts.Unchanged = 0, 0
	}
	if err := json.NewEncoder(stdout).Encode(counts); err != nil {
		return err
	}
	switch {
	case !counts.MostlyRefused():
		return nil
	case !stopped:
		return fmt.Errorf("import: %w", errMostlyRefused)
	case i.dryRun:
		return fmt.Errorf("import: %w: nothing would be changed; see -partial", errMostlyRefused)
	default:
		return fmt.Errorf("import: %w: nothing was changed; see -partial", errMostlyRefused)
	}
}

// survey reads the list without a change. It prints the refused entries if most are refused.
func (i *listImport) survey(ctx context.Context, input io.Reader, told *progress) (lists.Counts, error) {
	var kept bytes.Buffer
	refused := newRefusals(newProgress(&kept))
	counts, err := lists.Survey(untilDone(ctx, lists.Read(input, i.format, i.options)), lists.ImportOptions{
		Refused: refused.add,
	})
	refused.end()
	if err == nil && counts.MostlyRefused() && !i.partial {
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

// openInput returns the file with the path, or the standard input for -, and a function that closes it.
func (p program) openInput(path string) (input io.Reader, done func(), err error) {
	if path == "-" {
		return p.stdin, func() {}, nil
	}
	file, err := os.Open(path)                    //nolint:gosec // the caller of the program names it
	return file, func() { _ = file.Close() }, err // it is only read
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
func (i *listImport) set(ctx context.Context, setter lists.Setter, input io.Reader, survey lists.Counts, told *progress) (lists.Counts, error) {
	refused := newRefusals(told)
	counts, err := lists.Import(ctx, setter, lists.Read(input, i.format, i.options), lists.ImportOptions{
		Origin:           i.origin,
		ConfirmProtected: i.allowProtected,
		DryRun:           i.dryRun,
		Format:           i.format,
		Survey:           survey,
		Refused:          refused.add,
		Turned: func(e lists.Entry, from asset.Status) {
			would := "turns"
			if i.dryRun {
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
