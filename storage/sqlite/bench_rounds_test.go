//go:build cgo

package sqlite_test

import (
	"slices"
	"testing"
	"time"
)

// The benchmarks compare: what the store needs with what the bare driver needs for
// the same rows, or a large database with a small one. A figure that is a ratio
// means the same on every machine, as the ways take turns in the same run. None
// fails because of the time it took.
//
// Each measures its own rounds, once for each turn of b.Loop, which is one turn
// when a round is long. The time of an operation would be that of all rounds and
// is left out. With -short the databases are small, and the figures say little.

// rounds is how often each way is measured.
const rounds = 9

// medians lets the ways take turns and returns the median time of each, in
// milliseconds. A way gets the number of the round.
func medians(rounds int, ways ...func(round int)) []float64 {
	times := make([][]time.Duration, len(ways))
	for round := range rounds {
		for i, way := range ways {
			begin := time.Now()
			way(round)
			times[i] = append(times[i], time.Since(begin))
		}
	}
	middle := make([]float64, len(ways))
	for i, all := range times {
		slices.Sort(all)
		middle[i] = float64(all[len(all)/2].Microseconds()) / 1000
	}
	return middle
}

// figures reports the figures of a benchmark, by their units.
func figures(b *testing.B, values map[string]float64) {
	b.Helper()
	b.ReportMetric(0, "ns/op")
	for unit, value := range values {
		b.ReportMetric(value, unit)
	}
}

// sized returns the size of a large database, or that of a small one with -short.
func sized(size int) int {
	if testing.Short() {
		return size / 100
	}
	return size
}
