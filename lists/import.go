package lists

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/apguard/apguard/asset"
)

// Setter sets statuses. [*asset.Service] implements it.
type Setter interface {
	SetStatuses(ctx context.Context, req asset.SetStatusesRequest) ([]asset.StatusResult, error)
}

// ImportOptions are the optional settings of [Import]. The zero value is valid.
type ImportOptions struct {
	// Origin says why the statuses change. An empty Cause means [asset.CauseImport].
	Origin asset.Origin
	// ConfirmProtected confirms that protected assets are to be BLOCKED. Without it, such entries are refused; see
	// [asset.Protection]. A service with an [asset.Brake] refuses them anyway.
	ConfirmProtected bool
	// DryRun makes Import a plan: it counts and reports what it would do, and stores
	// nothing.
	DryRun bool
	// Refused receives each entry that is refused, with its Err.
	Refused func(Entry)
	// Turned receives each entry that turns an asset from ALLOWED to BLOCKED or back, with
	// the status that it had before.
	Turned func(entry Entry, from asset.Status)
	// Opposed receives, in a dry run, each entry that would make an asset ALLOWED or BLOCKED
	// while another form of the same link is the opposite, with that form. For example, an entry
	// blocks the page example.com, and https://example.com is ALLOWED. The other form keeps its
	// status. The one that is BLOCKED decides about both, as [check.Decide] says.
	Opposed func(entry Entry, other asset.Asset)
	// Progress receives the counts after each step.
	Progress func(Counts)
	// Format and Survey, unless zero, describe the list in the audit trail, beside the reference of
	// the origin. The survey has the counts of [Survey].
	Format Format
	Survey Counts
}

// Counts counts the entries of an import.
type Counts struct {
	// Lines is the number of entries: those that were set, unchanged or refused.
	Lines int `json:"lines"`
	// Set entries changed the status of their asset.
	Set int `json:"set"`
	// Unchanged entries have the status already, or are duplicates.
	Unchanged int `json:"unchanged"`
	Refused   int `json:"refused"`
	// NotTaken counts the entries that are no statuses for the import, by kind; see
	// [NotTakenError]. They are not among the lines.
	NotTaken map[string]int `json:"notTaken,omitempty"`
}

// MostlyRefused reports whether more than half of the entries were refused. The list is then
// probably one of another format.
func (c Counts) MostlyRefused() bool { return c.Refused > c.Lines-c.Refused }

// leave counts an entry that is not taken. It reports false if the entry is refused.
func (c *Counts) leave(e Entry) bool {
	var left *NotTakenError
	if !errors.As(e.Err, &left) {
		return false
	}
	if c.NotTaken == nil {
		c.NotTaken = make(map[string]int)
	}
	c.NotTaken[left.Kind]++
	return true
}

// Survey counts the entries of a list, and those that [Import] would refuse, without a store. So a
// caller that can read the list twice knows before any change whether it is one; see
// [Counts.MostlyRefused]. It uses the option Refused. It counts no entry as set or
// unchanged, and does not find what is protected, nor a contradiction that only a store of the changes does.
//
// The error is the first one of the entries.
func Survey(entries iter.Seq2[Entry, error], opts ImportOptions) (Counts, error) {
	i := &importer{opts: opts}
	for entry, err := range entries {
		if err != nil {
			return i.counts, err
		}
		if entry.Err == nil {
			item := asset.SetStatusRequest{Identity: entry.Identity, Status: entry.Status}
			entry.Err = item.Validate()
		}
		switch {
		case entry.Err == nil:
			i.counts.Lines++
		case !i.counts.leave(entry):
			i.counts.Lines++
			i.counts.Refused++
			i.refuse(entry)
		}
	}
	return i.counts, nil
}

// Import sets the statuses of the entries of a list, in steps of [asset.MaxItems]. It can
// be repeated: an import of the same list changes nothing, unless statuses changed since
// then. Its first change is recorded in the audit trail.
//
// Import stops at the first error of the entries or the setter and returns it. The counts
// include only the steps before it, which remain.
func Import(ctx context.Context, setter Setter, entries iter.Seq2[Entry, error], opts ImportOptions) (Counts, error) {
	opts.Origin.Cause = cmp.Or(opts.Origin.Cause, asset.CauseImport)
	i := &importer{setter: setter, opts: opts, batch: make([]Entry, 0, asset.MaxItems)}
	if opts.DryRun {
		i.seed, i.planned = maphash.MakeSeed(), make(map[uint64]struct{})
	}
	for entry, err := range entries {
		if err != nil {
			return i.counts, err
		}
		switch {
		case entry.Err == nil:
			i.batch = append(i.batch, entry)
		case !i.counts.leave(entry):
			i.refused++
			i.refuse(entry)
		}
		if max(len(i.batch), i.refused) < asset.MaxItems {
			continue
		}
		if err := i.step(ctx); err != nil {
			return i.counts, err
		}
	}
	err := i.step(ctx)
	return i.counts, err
}

// importer is a running import.
type importer struct {
	setter Setter
	opts   ImportOptions
	counts Counts
	// batch has the entries of the next step, and refused counts those that it leaves out.
	batch   []Entry
	refused int
	// planned has the hashes of the assets that a dry run would have changed.
	seed    maphash.Seed
	planned map[uint64]struct{}
	// changed has the entries of the step that would change their asset, if they are compared
	// with other forms.
	changed []Entry
}

// step sets the statuses of the batch.
func (i *importer) step(ctx context.Context) error {
	counts := Counts{Lines: len(i.batch) + i.refused, Refused: i.refused}
	if len(i.batch) > 0 {
		req := asset.SetStatusesRequest{
			Items:            make([]asset.StatusItem, len(i.batch)),
			Origin:           i.opts.Origin,
			ConfirmProtected: i.opts.ConfirmProtected,
			NotPending:       true,
			DryRun:           i.opts.DryRun,
			Import:           i.counts.Set == 0,
			ImportDetail:     i.detail(),
		}
		for at, entry := range i.batch {
			req.Items[at] = entry.StatusItem
		}
		results, err := i.setter.SetStatuses(ctx, req)
		if err != nil {
			return err
		}
		for at, result := range results {
			i.count(&counts, i.batch[at], result)
		}
		if err := i.compareForms(ctx); err != nil {
			return err
		}
	}
	i.counts.Lines += counts.Lines
	i.counts.Set += counts.Set
	i.counts.Unchanged += counts.Unchanged
	i.counts.Refused += counts.Refused
	i.batch, i.refused = i.batch[:0], 0
	if i.opts.Progress != nil {
		shown := i.counts
		shown.NotTaken = maps.Clone(shown.NotTaken)
		i.opts.Progress(shown)
	}
	return nil
}

// count counts and reports the result of an entry.
func (i *importer) count(counts *Counts, entry Entry, result asset.StatusResult) {
	switch {
	case result.Err != nil:
		counts.Refused++
		entry.Err = result.Err
		i.refuse(entry)
	case !result.Changed() || i.repeats(entry):
		counts.Unchanged++
	default:
		counts.Set++
		if i.opts.Turned != nil && result.From != asset.StatusUnknown && entry.Status != asset.StatusUnknown {
			i.opts.Turned(entry, result.From)
		}
		if i.opts.DryRun && i.opts.Opposed != nil && entry.Status != asset.StatusUnknown {
			i.changed = append(i.changed, entry)
		}
	}
}

// repeats reports whether a dry run would have changed the asset before.
func (i *importer) repeats(entry Entry) bool {
	if i.planned == nil {
		return false
	}
	before := len(i.planned)
	i.planned[maphash.Comparable(i.seed, entry.Identity)] = struct{}{}
	return len(i.planned) == before
}

// detail describes the list in the audit trail. The reference is last, because it can be any text.
func (i *importer) detail() string {
	var parts []string
	add := func(name string, value any) { parts = append(parts, fmt.Sprintf("%s=%v", name, value)) }
	if i.opts.Format != "" {
		add("format", i.opts.Format)
	}
	if survey := i.opts.Survey; survey.Lines > 0 {
		add("entries", survey.Lines)
		add("refused", survey.Refused)
		for _, kind := range slices.Sorted(maps.Keys(survey.NotTaken)) {
			add(kind, survey.NotTaken[kind])
		}
	}
	if i.opts.Origin.Reference != "" {
		add("reference", i.opts.Origin.Reference)
	}
	return strings.Join(parts, ",")
}

func (i *importer) refuse(entry Entry) {
	if i.opts.Refused != nil {
		i.opts.Refused(entry)
	}
}
