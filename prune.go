package apguard

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/dispute"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/step"
)

// Prunable is a kind of records that [Guard.Prune] removes.
type Prunable string

// The kinds of records.
const (
	// PrunableChanges are the changes that [asset.HistoryService.Prune] removes.
	PrunableChanges Prunable = "CHANGES"
	// PrunableDisputes are the disputes that [dispute.QueueService.Prune] removes.
	PrunableDisputes Prunable = "DISPUTES"
	// PrunableReports are the reports that [report.ReviewService.Prune] removes.
	PrunableReports Prunable = "REPORTS"
)

var prunables = [...]Prunable{PrunableChanges, PrunableDisputes, PrunableReports}

// Prunables returns all kinds in a new slice.
func Prunables() []Prunable { return slices.Clone(prunables[:]) }

// pruneSteps is the number of steps of a call of Prune. Each examines at most 1,000 changes, or 100
// disputes or reports.
const pruneSteps = 10

// PruneRequest is the request of [Guard.Prune].
type PruneRequest struct {
	Records Prunable
	// Before is the time before which records are removed. It must not be in the future, and at least
	// [Options.PruneAge] ago.
	Before time.Time
	// After is the Next of the previous call, or zero for the first one.
	After asset.ChangeCursor
}

// validate returns an [*asset.InputError] that names every invalid field.
func (r PruneRequest) validate(now time.Time, age time.Duration) error {
	var issues asset.Issues
	issues.Check(slices.Contains(prunables[:], r.Records), "records", "must be CHANGES, DISPUTES or REPORTS")
	issues.Check(!r.Before.IsZero(), "before", "is required")
	issues.Check(!r.Before.After(now.Add(-age)), "before", ageIssue(age))
	return issues.Err()
}

// ageIssue says that a time is not as long ago as it must be.
func ageIssue(age time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case age == 0:
		return "must not be in the future"
	case age%day != 0:
		return "must be at least " + age.String() + " ago"
	default:
		return "must be at least " + strconv.FormatInt(int64(age/day), 10) + " days ago"
	}
}

// Pruned is the result of [Guard.Prune].
type Pruned struct {
	// Removed is the number of removed records.
	Removed int
	// Next is where the next call continues if More is true. Its At is zero for disputes and reports.
	Next asset.ChangeCursor
	More bool
}

// Prune removes old records of all organizations, as the methods Prune of History, DisputeQueue and
// Reviews do, but not all at once: it examines at most 10,000 changes, or 1,000 disputes or reports, and
// says whether more are left. Its first removal is recorded in the audit trail. Removed records cannot be
// restored. Records younger than [Options.PruneAge] are kept, so that no operator hides what was just done.
//
// Prune returns what it has removed, even if it fails. The error is an [*asset.InputError] if the request
// is invalid.
func (g *Guard) Prune(ctx context.Context, req PruneRequest) (Pruned, error) {
	now := g.options.Clock()
	if err := req.validate(now, g.options.PruneAge); err != nil {
		return Pruned{}, err
	}
	entry := audit.New(ctx, now, audit.KindPruning, audit.ActionPruned)
	entry.Detail = string(req.Records) + " before " + req.Before.UTC().Format(time.RFC3339)
	var result Pruned
	for range pruneSteps {
		pruned, err := g.pruneStep(ctx, req, entry)
		if err != nil {
			return result, err
		}
		result = Pruned{Removed: result.Removed + pruned.Removed, Next: pruned.Next, More: !pruned.Done}
		if pruned.Done {
			break
		}
		if pruned.Removed > 0 {
			entry = audit.Entry{}
		}
		req.After = pruned.Next
	}
	return result, nil
}

// pruneStep is one step of Prune.
func (g *Guard) pruneStep(ctx context.Context, req PruneRequest, entry audit.Entry) (step.Pruned[asset.ChangeCursor], error) {
	switch req.Records {
	case PrunableChanges:
		return g.store.PruneChanges(ctx, asset.PruneCommand{Before: req.Before, After: req.After, Limit: asset.MaxLimit, Audit: entry})
	case PrunableDisputes:
		return prunedByID(g.store.PruneDisputes(ctx, dispute.PruneCommand{
			Before: req.Before, After: req.After.ID, Limit: dispute.MaxLimit, Audit: entry,
		}))
	default:
		return prunedByID(g.store.PruneReports(ctx, report.PruneCommand{
			Scope: report.AnyOrganization(), Before: req.Before, After: req.After.ID, Limit: report.MaxLimit, Audit: entry,
		}))
	}
}

// prunedByID returns the result of a step whose records are ordered by ID.
func prunedByID(pruned step.Pruned[int64], err error) (step.Pruned[asset.ChangeCursor], error) {
	return step.Pruned[asset.ChangeCursor]{Removed: pruned.Removed, Next: asset.ChangeCursor{ID: pruned.Next}, Done: pruned.Done}, err
}
