// Package benchtest is what benchmarks that compare have in common: the ways of
// doing something take turns in one run, and the medians of their times are set
// against each other. A figure that is a ratio means the same on every machine.
// None fails because of the time it took.
//
// A benchmark measures its own rounds, once for each turn of b.Loop, which is one
// turn when a round is long. The time of an operation would be that of all rounds
// and is left out. With -short the databases are small, each way is measured once, and the figures say little.
package benchtest

import (
	"runtime"
	"slices"
	"testing"
	"time"
)

// Rounds is how often each way is measured, unless one is very short or uneven.
const Rounds = 9

// Medians lets the ways take turns and returns the median time of each, in
// milliseconds. A way gets the number of the round, from 0.
func Medians(rounds int, ways ...func(round int)) []float64 {
	if testing.Short() {
		rounds = 1
	}
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
		middle[i] = float64(all[len(all)/2].Nanoseconds()) / 1e6
	}
	return middle
}

// Figures reports the figures of a benchmark, by their units.
func Figures(b *testing.B, values map[string]float64) {
	b.Helper()
	b.ReportMetric(0, "ns/op")
	for unit, value := range values {
		b.ReportMetric(value, unit)
	}
}

// Sized returns the size of a large database, or that of a small one with -short.
func Sized(size int) int {
	if testing.Short() {
		return size / 100
	}
	return size
}

// Heap returns the bytes of the heap that are in use after a garbage collection.
func Heap() int {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC() // what finalizers have released
	runtime.ReadMemStats(&stats)
	return int(stats.HeapAlloc) //nolint:gosec // no heap has 2^63 bytes
}
