package dispute

import (
	"context"
	"time"

	"github.com/apguard/apguard/asset"
)

// Decided says how disputes were decided in a period, and how long that took. Each decision counts, even if the
// dispute was opened again later.
type Decided struct {
	// Accepted and Rejected are the numbers of decisions.
	Accepted int
	Rejected int
	// Median and Percentile90 are times from the creation of a dispute to its decision, by the nearest rank: the
	// shortest time within which at least half of the decisions, or nine tenths, were made. They are zero if there
	// are none.
	Median       time.Duration
	Percentile90 time.Duration
}

// Decides reports whether the note has the decision of a dispute.
func (n Note) Decides() bool {
	return n.Kind == NoteKindTransition && (n.State == StateAccepted || n.State == StateRejected)
}

// Add counts decisions that brought disputes to the state, which is ACCEPTED or REJECTED. Stores call it.
func (d *Decided) Add(state State, count int) {
	if state == StateAccepted {
		d.Accepted += count
	} else {
		d.Rejected += count
	}
}

// SetTimes sets the times of the decisions that are counted. The function returns the n-th shortest of them, where
// that of 1 is the shortest. Stores call SetTimes, which returns its error.
func (d *Decided) SetTimes(nth func(n int) (time.Duration, error)) (err error) {
	count := d.Accepted + d.Rejected
	if count == 0 {
		return nil
	}
	if d.Median, err = nth(nearestRank(count, 50)); err != nil {
		return err
	}
	d.Percentile90, err = nth(nearestRank(count, 90))
	return err
}

// nearestRank returns the rank of a percentile among a number of values, from 1.
func nearestRank(count, percent int) int { return (count*percent + 99) / 100 }

// Decided returns how the disputes were decided in a period. The error is an [*asset.InputError] if the period is
// backwards.
func (s *QueueService) Decided(ctx context.Context, period asset.Period) (Decided, error) {
	var issues asset.Issues
	issues.Check(!period.Backwards(), "period", "must not be backwards")
	if err := issues.Err(); err != nil {
		return Decided{}, err
	}
	return s.store.DecidedDisputes(ctx, period)
}
