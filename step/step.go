// Package step contains what the steps of all stores have in common. Each method of a store is one step: it
// is atomic and short, so that others do not wait long. A list is read page by page, and work on many
// records is done step by step.
package step

import "time"

// Repeat calls step until it reports that no records are left or returns an error. It returns
// the sum of the numbers of records, even if it fails. Services use it for work on many
// records, which stores do in short steps so that other calls do not wait long.
func Repeat(step func() (records int, more bool, err error)) (sum int64, err error) {
	for {
		records, more, err := step()
		sum += int64(records)
		if err != nil || !more {
			return sum, err
		}
	}
}

// Pruned is the result of one step of pruning. C is a position in the list of the records.
type Pruned[C any] struct {
	// Removed is the number of removed records.
	Removed int
	// Next is the position of the last record that the step examined, removed or not. It is
	// the position at which the step started if there was none.
	Next C
	// Done is true if the step examined fewer records than its limit.
	Done bool
}

// TruncateTime rounds t down to whole milliseconds, in UTC. All stored times have this
// precision.
func TruncateTime(t time.Time) time.Time {
	return t.UTC().Truncate(time.Millisecond)
}
