package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v3"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/lists"
	"github.com/apguard/apguard/lists/fetch"
	"github.com/apguard/apguard/storage"
)

// listFlags returns the flags that describe a list.
func listFlags(list *lists.List) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "name", Destination: &list.Name, Usage: "`NAME` of the list: letters from a to z, digits, and . _ - between them"},
		&cli.StringFlag{Name: "format", Destination: (*string)(&list.Format), Usage: "`FORMAT` of the files: " + alternatives(lists.Readable())},
		&cli.StringFlag{
			Name: "status", Destination: (*string)(&list.Status),
			Usage: "`STATUS` of entries without one of their own: BLOCKED or ALLOWED; a new list has BLOCKED",
		},
		&cli.StringFlag{Name: "reason", Destination: (*string)(&list.Reason), Usage: "`REASON` that everybody sees: " + alternatives(asset.Reasons())},
	}
}

// alternatives returns the values as a list in a sentence.
func alternatives[T ~string](values []T) string {
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = string(value)
	}
	last := len(texts) - 1
	return strings.Join(texts[:last], ", ") + " or " + texts[last]
}

// checkList returns an error about a flag that describes a list. private is the value of -private-lists.
func checkList(list lists.List, private bool) error {
	return flagError(list.Validate(private))
}

// flagError returns an error about the value of a field as one about its flag.
func flagError(err error) error {
	var input *asset.InputError
	if !errors.As(err, &input) {
		return err
	}
	flag := fmt.Errorf("-%s %s", input.Issues[0].Field, input.Issues[0].Message)
	if errors.Is(err, lists.ErrNotPublic) {
		return fmt.Errorf("%w; -%s allows it", flag, flagPrivateLists)
	}
	return flag
}

// listSync has the values of the flags of apguard lists sync.
type listSync struct {
	list            lists.List
	confirm, dryRun bool
	private         bool
	protected       string
	// file is empty to fetch the file from the URL of the list.
	file string
}

func (p program) syncList() *cli.Command {
	s := new(listSync)
	return &cli.Command{
		Name:      "sync",
		Usage:     "make a list hold what a file has",
		ArgsUsage: "[FILE]",
		Description: `Without FILE, the file is fetched now from the URL of the list. FILE is - for the standard input, which is first
copied to a temporary file. A list that does not exist is added with the first FILE.

The counts are written to the standard output as JSON, and the first 1000 refused entries to the standard error,
with the counts of the others by reason. A sync can be repeated, and completes one that was interrupted.

The exit status is 3 if the sync was stopped before any change: it would withdraw more than a tenth of the list and
more than 100 entries, or add more than ten times as many as it has and more than 10000, unless -confirm is given,
or the file has no entries, or more than half of them were refused.`,
		Flags: append(listFlags(&s.list),
			&cli.BoolFlag{Name: "confirm", Usage: "do it although it withdraws or adds many, or the file is empty", Destination: &s.confirm},
			&cli.BoolFlag{Name: "dry-run", Usage: "count what it would do, name the first assets, and store nothing", Destination: &s.dryRun},
			privateListsFlag(&s.private),
			protectedFlag(&s.protected),
			dbFlag(),
		),
		Action: p.onStore(s.check, func(ctx context.Context, store storage.Store) error {
			protected, err := protectedNames(s.protected)
			if err != nil {
				return err
			}
			service := apguard.New(store, apguard.Options{PrivateLists: s.private, Protected: protected}).Lists
			if s.file == "" {
				return s.run(ctx, service, fetch.New(service, fetch.Options{}).FetchNow, p.stdout, newProgress(p.stderr))
			}
			input, done, err := p.openInput(s.file)
			if err != nil {
				return err
			}
			defer done()
			return s.run(ctx, service, syncWith(service, input), p.stdout, newProgress(p.stderr))
		}),
	}
}

// check validates the command line.
func (s *listSync) check(c *cli.Command) error {
	described := s.list
	described.Format = cmp.Or(described.Format, lists.Lines) // it may be that of the list
	if err := checkList(described, false); err != nil {
		return err
	}
	if c.NArg() > 1 || c.NArg() == 1 && c.Args().First() == "" {
		return errors.New("give one file, - for the standard input, or none to fetch it from the URL of the list")
	}
	s.file = c.Args().First()
	return nil
}

// syncWith returns a function that syncs lists with the input.
func syncWith(service *lists.Service, input io.Reader) func(context.Context, lists.SyncRequest) (lists.SyncResult, error) {
	return func(ctx context.Context, req lists.SyncRequest) (lists.SyncResult, error) {
		file, remove, err := rereadable(input)
		if err != nil {
			return lists.SyncResult{}, err
		}
		defer remove()
		req.File = file
		return service.Sync(ctx, req)
	}
}

// run syncs the list.
func (s *listSync) run(
	ctx context.Context, service *lists.Service, sync func(context.Context, lists.SyncRequest) (lists.SyncResult, error),
	stdout io.Writer, told *progress,
) error {
	if err := s.describe(ctx, service); err != nil {
		return err
	}
	refused := newRefusals(told)
	result, err := sync(ctx, lists.SyncRequest{
		Name: s.list.Name, Confirm: s.confirm, DryRun: s.dryRun,
		Refused: func(e lists.Entry) { refused.add(listRefusal(e)) },
	})
	refused.end()
	stopped := errors.Is(err, lists.ErrUnconfirmed) || errors.Is(err, lists.ErrMostlyRefused)
	if err != nil && !stopped {
		return listError(s.list.Name, err)
	}
	if err := json.NewEncoder(stdout).Encode(result); err != nil {
		return err
	}
	if errors.Is(err, lists.ErrUnconfirmed) {
		return negativeError("lists: nothing was changed: " + err.Error() + "; see -confirm")
	}
	if stopped {
		return negativeError("lists: nothing was changed: " + err.Error())
	}
	return nil
}

// describe adds the list if it does not exist. Otherwise its format, status and reason must be those of the
// command line, if that has them.
func (s *listSync) describe(ctx context.Context, service *lists.Service) error {
	list, err := service.Get(ctx, s.list.Name)
	switch {
	case errors.Is(err, lists.ErrNotFound) && s.file == "":
		return fmt.Errorf("lists: there is no list %s; lists add with -url adds it", s.list.Name)
	case errors.Is(err, lists.ErrNotFound) && s.list.Format == "":
		return fmt.Errorf("lists: there is no list %s; -format adds it", s.list.Name)
	case errors.Is(err, lists.ErrNotFound) && !s.dryRun:
		_, err = service.Add(ctx, s.list)
		return listError(s.list.Name, err)
	case err != nil:
		return listError(s.list.Name, err)
	}
	wanted := lists.List{
		Format: cmp.Or(s.list.Format, list.Format), Status: cmp.Or(s.list.Status, list.Status), Reason: cmp.Or(s.list.Reason, list.Reason),
	}
	if wanted != (lists.List{Format: list.Format, Status: list.Status, Reason: list.Reason}) {
		return fmt.Errorf("lists: %s has the format %s, the status %s and the reason %s; lists update changes them",
			list.Name, list.Format, list.Status, cmp.Or(list.Reason, "of none"))
	}
	return nil
}

// listRefusal returns a refused entry with a reason that no flag of lists sync changes.
func listRefusal(e lists.Entry) lists.Entry {
	var protected *asset.ProtectedError
	switch {
	case errors.As(e.Err, &protected):
		e.Err = errors.New(protected.Error() + ", which no list blocks")
	case errors.Is(e.Err, lists.ErrBareHandle):
		e.Err = errors.New("is a word without @")
	}
	return e
}

// listError returns an error with the name of the list, and with what helps against it.
func listError(name string, err error) error {
	var failed *fetch.Error
	switch {
	case err == nil:
		return nil
	case errors.Is(err, lists.ErrNoURL):
		err = fmt.Errorf("%w; give a file", err)
	case errors.As(err, &failed) && (failed.Failure == fetch.FailureAddress || failed.Failure == fetch.FailureURL):
		err = fmt.Errorf("%w; see -%s", err, flagPrivateLists)
	}
	return fmt.Errorf("lists: %s: %w", plain(name), err)
}
