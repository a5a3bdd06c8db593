package lists

import (
	"cmp"
	"context"
	"hash/maphash"
	"iter"

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
	// ConfirmSuffix confirms that public suffixes are to be BLOCKED. Without it, such entries are
	// refused; see [asset.PublicSuffix].
	ConfirmSuffix bool
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
}

// Import sets the statuses of the entries of a list, in steps of [asset.MaxStatuses]. It can
// be repeated: an import of the same list changes nothing, unless statuses changed since
// then. Its first change is recorded in the audit trail.
//
// Import stops at the first error of the entries or the setter and returns it. The counts
// include only the steps before it, which remain.
func Import(ctx context.Context, setter Setter, entries iter.Seq2[Entry, error], opts ImportOptions) (Counts, error) {
	opts.Origin.Cause = cmp.Or(opts.Origin.Cause, asset.CauseImport)
	i := &importer{setter: setter, opts: opts, batch: make([]Entry, 0, asset.MaxStatuses)}
	if opts.DryRun {
		i.seed, i.planned = maphash.MakeSeed(), make(map[uint64]struct{})
	}
	for entry, err := range entries {
		if err != nil {
			return i.counts, err
		}
		if entry.Err != nil {
			i.refused++
			i.refuse(entry)
		} else {
			i.batch = append(i.batch, entry)
		}
		if max(len(i.batch), i.refused) < asset.MaxStatuses {
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
			Items:         make([]asset.StatusItem, len(i.batch)),
			Origin:        i.opts.Origin,
			ConfirmSuffix: i.opts.ConfirmSuffix,
			DryRun:        i.opts.DryRun,
			Import:        i.counts.Set == 0,
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
		i.opts.Progress(i.counts)
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

func (i *importer) refuse(entry Entry) {
	if i.opts.Refused != nil {
		i.opts.Refused(entry)
	}
}
