package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists"
)

const exportUsage = `Usage:
  server export -format F [-status S] [-o FILE] [-db DB]

F is eth-phishing-detect, domains, hosts, rpz, adblock, csv or jsonl. S is BLOCKED (the
default), and for csv and jsonl also ALLOWED, or any for both. FILE is written whole or not at
all; without it, the list goes to the standard output. The standard error says how many assets
the format cannot represent. DB is as for the server, which must have been started on it once.
`

// exportCommand has the values of the flags of server export.
type exportCommand struct {
	db       database
	format   lists.Format
	statuses []asset.Status
	file     string
}

// runExport writes a list of the assets of a database.
func runExport(ctx context.Context, args []string, env environment, stdout, stderr io.Writer) error {
	c, err := parseExport(args, env, stderr)
	if err != nil {
		return err
	}
	return withAssets(ctx, c.db, func(services assetServices) error {
		told := newProgress(stderr)
		defer told.end()
		write := func(w io.Writer) error { return c.write(ctx, services, w, told) }
		if c.file == "" {
			return write(stdout)
		}
		return writeWhole(c.file, write)
	})
}

func parseExport(args []string, env environment, stderr io.Writer) (exportCommand, error) {
	var (
		c              exportCommand
		format, status string
	)
	flags := newCommand("export", exportUsage, env, stderr)
	flags.StringVar(&format, "format", "", "")
	flags.StringVar(&status, "status", "", "")
	flags.StringVar(&c.file, "o", "", "")
	var err error
	c.db, err = flags.parse(args, func() (err error) {
		c.format = lists.Format(format)
		switch {
		case !slices.Contains(lists.Writable(), c.format):
			return errors.New("-format must be eth-phishing-detect, domains, hosts, rpz, adblock, csv or jsonl")
		case flags.NArg() > 0:
			return errUnexpectedArgument
		}
		if c.statuses, err = lists.Statuses(c.format, status); err != nil {
			return fmt.Errorf("-status must be BLOCKED, or with csv and jsonl also ALLOWED or any: %w", err)
		}
		return nil
	})
	return c, err
}

// write writes the list. It says what was left out.
func (c exportCommand) write(ctx context.Context, services assetServices, w io.Writer, told *progress) error {
	options := lists.WriteOptions{Statuses: c.statuses}
	if c.format == lists.RPZ {
		feed, err := services.feed.State(ctx)
		if err != nil {
			return err
		}
		options.Serial = feed.Serial()
	}
	read := 0
	summary, err := lists.Write(w, c.format, func(filter asset.Filter) iter.Seq2[asset.Listed, error] {
		return counting(services.assets.All(ctx, filter, 0), func() {
			if read++; read%asset.DefaultListLimit == 0 {
				told.show("%d assets", read)
			}
		})
	}, options)
	if err != nil {
		return err
	}
	for _, left := range summary.LeftOut {
		told.say("left out: %d (%s)", left.Count, left.Reason)
	}
	return nil
}

// counting yields the elements and calls count for each.
func counting[T any](elements iter.Seq2[T, error], count func()) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for element, err := range elements {
			count()
			if !yield(element, err) {
				return
			}
		}
	}
}

// listMode is the mode of a new list, which is there to be published.
const listMode = 0o644

// writeWhole writes a file under another name, and renames it once it is complete and on the
// disk. If anything fails, the file of that name stays as it was.
func writeWhole(path string, write func(io.Writer) error) (err error) {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = file.Close()                               // it may be closed already
			err = errors.Join(err, os.Remove(file.Name())) //nolint:gosec // the operator names the file
		}
	}()
	mode := os.FileMode(listMode)
	if info, err := os.Stat(path); err == nil { //nolint:gosec // the operator names the file
		mode = info.Mode().Perm()
	}
	if err := write(file); err != nil {
		return err
	}
	if err := errors.Join(file.Chmod(mode), file.Sync(), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), path) //nolint:gosec // the operator names the file
}
