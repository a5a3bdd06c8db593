package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v3"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists"
)

// listExport has the values of the flags of apguard export.
type listExport struct {
	format   lists.Format
	status   string
	statuses []asset.Status
	file     string
}

// exportList returns the command that writes a list of the assets of a database.
func (p program) exportList() *cli.Command {
	e := new(listExport)
	return &cli.Command{
		Name:        "export",
		Usage:       "write a list of assets",
		Description: "The standard error says how many assets the format cannot represent.",
		Flags: []cli.Flag{
			&cli.StringFlag{
				Name: "format", Destination: (*string)(&e.format),
				Usage: "`FORMAT` of the list: eth-phishing-detect, domains, hosts, rpz, adblock, csv, jsonl, stix or misp-warninglist",
			},
			&cli.StringFlag{
				Name: "status", Destination: &e.status,
				Usage: "`STATUS` of the assets: BLOCKED, or ALLOWED for misp-warninglist; for csv and jsonl either, or any for both",
			},
			&cli.StringFlag{
				Name: "o", Destination: &e.file, TakesFile: true,
				Usage: "`FILE` to write, whole or not at all; without the flag, the list goes to the standard output",
			},
			dbFlag(),
		},
		Action: p.onGuard(e.check, func(ctx context.Context, guard *apguard.Guard) error {
			told := newProgress(p.stderr)
			defer told.end()
			write := func(w io.Writer) error { return e.write(ctx, guard, w, told) }
			if e.file == "" {
				return write(p.stdout)
			}
			return writeWhole(e.file, write)
		}),
	}
}

// check validates the command line.
func (e *listExport) check(c *cli.Command) (err error) {
	if !slices.Contains(lists.Writable(), e.format) {
		return errors.New("-format must be eth-phishing-detect, domains, hosts, rpz, adblock, csv, jsonl, stix or misp-warninglist")
	}
	if e.statuses, err = lists.Statuses(e.format, e.status); err != nil {
		err = fmt.Errorf("-status must be BLOCKED, with misp-warninglist ALLOWED, or with csv and jsonl also ALLOWED or any: %w", err)
	}
	return cmp.Or(noArguments(c), err)
}

// write writes the list. It says what was left out.
func (e listExport) write(ctx context.Context, guard *apguard.Guard, w io.Writer, told *progress) error {
	options := lists.WriteOptions{Statuses: e.statuses}
	if e.format == lists.RPZ || e.format == lists.MISPWarninglist {
		feed, err := guard.Feed.State(ctx)
		if err != nil {
			return err
		}
		options.Serial = feed.Serial()
	}
	read := 0
	summary, err := lists.Write(w, e.format, func(filter asset.Filter) iter.Seq2[asset.Listed, error] {
		return counting(guard.Assets.All(ctx, filter, 0), func() {
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
			_ = file.Close() // it may be closed already
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	mode := os.FileMode(listMode)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	if err := write(file); err != nil {
		return err
	}
	if err := errors.Join(file.Chmod(mode), file.Sync(), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}
