package apguard

import (
	"context"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/classify"
	"github.com/apguard/apguard/storage"
)

// ReclassifyOptions are the optional parts of [Reclassify].
type ReclassifyOptions struct {
	// DryRun stores nothing.
	DryRun bool
	// Each, unless nil, is called with each asset that is moved, merged or not recognized.
	Each func(asset.Reform)
	// Now returns the time of changes. Nil means time.Now.
	Now func() time.Time
}

// Reclassified are the counts of a reclassification, or of its plan.
type Reclassified struct {
	// Assets is the number of assets that there were.
	Assets int `json:"assets"`
	// Moved is the number of assets whose canonical form changed.
	Moved int `json:"moved"`
	// Merged is the number of assets that became another one, and Differing that of those whose status
	// differed.
	Merged    int `json:"merged"`
	Differing int `json:"differing"`
	// Unrecognized is the number of assets that the rules refuse. They are kept as they are.
	Unrecognized int `json:"unrecognized"`
	// Entries is the number of allowlist entries that were removed, as their organization has an
	// older one for the same asset. Disputes is the number of disputes that were erased, as the same
	// person has an older one about the same asset. A dry run counts neither.
	Entries  int `json:"entries"`
	Disputes int `json:"disputes"`
}

// Reclassify gives all assets of a store the identities of classify.Version, in steps of
// asset.ReclassifyLimit. Open the store with the option Reclassify, and stop all other programs
// that use it. It can be repeated after an interruption, and counts only the rest then. The store
// has the new version once the last step is done, and is refused by other programs until then.
//
// After an error the counts are those of the steps before.
func Reclassify(ctx context.Context, store storage.Reclassifier, opts ReclassifyOptions) (Reclassified, error) {
	now := opts.Now
	if now == nil {
		now = time.Now
	}
	cmd := asset.ReclassifyCommand{
		Limit: asset.ReclassifyLimit, Form: classify.Again, Version: classify.Version, DryRun: opts.DryRun,
	}
	if cmd.DryRun {
		cmd.Planned = make(map[asset.Identity]asset.Asset)
	}
	var counts Reclassified
	for {
		cmd.At = now()
		step, err := store.Reclassify(ctx, cmd)
		if err != nil {
			return counts, err
		}
		counts.add(step)
		if opts.Each != nil {
			for _, one := range step.Reforms {
				opts.Each(one)
			}
		}
		if step.Done {
			return counts, nil
		}
		cmd.After = step.Last
	}
}

func (r *Reclassified) add(step asset.ReclassifyStep) {
	r.Assets += step.Assets
	r.Entries += step.Entries
	r.Disputes += step.Disputes
	for _, one := range step.Reforms {
		switch {
		case one.Unrecognized():
			r.Unrecognized++
		case one.Moved():
			r.Moved++
		default:
			r.Merged++
			if one.Status != one.Into.Status {
				r.Differing++
			}
		}
	}
}
