package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/urfave/cli/v3"

	"github.com/apguard/apguard"
	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/check"
	"github.com/apguard/apguard/classify"
)

// errBlocked reports that a content is BLOCKED.
const errBlocked = negativeError("blocked")

// errUnchecked reports that a content could not be checked.
var errUnchecked = errors.New("a content is not recognized: do not show it")

// check returns the command that asks a database about contents.
func (p program) check() *cli.Command {
	var asJSON bool
	var contents []string
	return &cli.Command{
		Name:      "check",
		Usage:     "tell whether links, addresses and handles may be shown",
		ArgsUsage: "CONTENT...",
		Description: fmt.Sprintf(`Prints the status of each of up to %d contents, and the asset that decided.

The exit status is 3 if a content is BLOCKED, and otherwise 1 if one is not recognized.`, check.MaxItems),
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "json", Usage: "print a JSON object for each content", Destination: &asJSON},
			dbFlag(),
		},
		Action: p.onGuard(func(c *cli.Command) error {
			if contents = c.Args().Slice(); len(contents) == 0 {
				return errors.New("missing content; give at least one")
			}
			return check.ValidateBatch(contents)
		}, func(ctx context.Context, guard *apguard.Guard) error {
			results, err := guard.Checks.CheckBatch(ctx, contents)
			if err != nil {
				return err
			}
			show := p.showResults
			if asJSON {
				show = p.encodeResults
			}
			return cmp.Or(show(results), judge(results))
		}),
	}
}

// judge returns errBlocked or else errUnchecked if there is such a content.
func judge(results []check.Result) error {
	var unchecked error
	for _, result := range results {
		switch {
		case result.Status == asset.StatusBlocked:
			return errBlocked
		case result.Err != nil:
			unchecked = errUnchecked
		}
	}
	return unchecked
}

// showResults prints a table of the results.
func (p program) showResults(results []check.Result) error {
	// Only Flush can fail.
	table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "STATUS\tDECIDED BY\tCONTENT")
	for _, result := range results {
		status, by := string(result.Status), "-"
		switch {
		case result.Err != nil:
			status, by = "-", plain(result.Err.Error())
		case result.Match != nil:
			by = string(result.Match.Kind) + " " + plain(result.Match.Canonical)
			if reason := result.Match.Reason; reason != "" {
				by += " (" + string(reason) + ")"
			}
		case result.Source == check.SourceList:
			by = "LIST"
		}
		_, _ = fmt.Fprintln(table, strings.Join([]string{status, by, plain(result.Content)}, "\t"))
	}
	return table.Flush()
}

// checked is a result as JSON. Its fields are those of the API.
type checked struct {
	Content   string       `json:"content"`
	Type      asset.Type   `json:"type,omitempty"`
	Canonical string       `json:"canonical,omitempty"`
	Status    asset.Status `json:"status,omitempty"`
	Source    check.Source `json:"source,omitempty"`
	Match     *matched     `json:"match,omitempty"`
	Error     string       `json:"error,omitempty"`
}

// matched is the asset that decided.
type matched struct {
	Kind    classify.CoverKind `json:"kind"`
	AssetID int64              `json:"assetId"`
	Type    asset.Type         `json:"type"`
	Content string             `json:"content"`
	Status  asset.Status       `json:"status"`
	Reason  *asset.Reason      `json:"reason"`
	Note    *string            `json:"note"`
	Since   *string            `json:"since"`
	By      *asset.Source      `json:"by"`
	List    *string            `json:"list"`
}

func newMatched(m *check.Match) *matched {
	if m == nil {
		return nil
	}
	since := ""
	if !m.Since.IsZero() {
		since = m.Since.UTC().Format("2006-01-02T15:04:05.000Z07:00")
	}
	return &matched{
		m.Kind, m.ID, m.Type, m.Canonical, m.Status,
		orNull(m.Reason), orNull(m.Note), orNull(since), orNull(m.By), orNull(m.List),
	}
}

func orNull[T ~string](text T) *T {
	if text == "" {
		return nil
	}
	return &text
}

// encodeResults prints an object for each result.
func (p program) encodeResults(results []check.Result) error {
	out := jsontext.NewEncoder(p.stdout)
	for _, result := range results {
		one := checked{Content: result.Content}
		if result.Err != nil {
			one.Error = result.Err.Error()
		} else {
			one.Type, one.Canonical, one.Status, one.Source = result.Type, result.Canonical, result.Status, result.Source
			one.Match = newMatched(result.Match)
		}
		if err := json.MarshalEncode(out, one); err != nil {
			return err
		}
	}
	return nil
}
