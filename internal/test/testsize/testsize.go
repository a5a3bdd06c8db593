// Package testsize tells tests how much to do. There are three sizes:
//
//   - go test -short: what shows within seconds that a package works.
//   - go test: all rules, each of them once.
//   - APGUARD_TEST_FULL=1 go test, as CI does in the night: also long random runs, kills, load, memory, and
//     the whole suite with every way to open a store. With the race detector, sizes are normal.
package testsize

import (
	"os"
	"runtime/debug"
	"slices"
	"testing"
)

// fullVariable is the environment variable that makes tests full.
const fullVariable = "APGUARD_TEST_FULL"

// Full reports whether tests must do everything. With -short, they never do.
func Full() bool { return os.Getenv(fullVariable) == "1" && !testing.Short() }

// OnlyFull skips a test that is not full.
func OnlyFull(tb testing.TB) {
	tb.Helper()
	if !Full() {
		tb.Skip("runs with " + fullVariable + "=1")
	}
}

// Measurement skips a test of load or memory that is not full, or is built with the race detector, which
// multiplies both. CI runs these tests without it (.ci/measure). It finds them by their text, so the call must
// be in the function of the test.
func Measurement(tb testing.TB) {
	tb.Helper()
	OnlyFull(tb)
	if Race() {
		tb.Skip("the race detector multiplies the memory")
	}
}

// Race reports whether the test is built with the race detector.
func Race() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// NotShort skips a test with -short.
func NotShort(tb testing.TB) {
	tb.Helper()
	if testing.Short() {
		tb.Skip("does not run with -short")
	}
}

// Of returns the value for the size of the tests. With the race detector, which makes a test several times
// slower, a full test has the normal size.
func Of[T any](short, normal, full T) T {
	switch {
	case testing.Short():
		return short
	case Full() && !Race():
		return full
	default:
		return normal
	}
}

// OfShort returns the first value for a short test, or else the second.
func OfShort[T any](short, otherwise T) T {
	if testing.Short() {
		return short
	}
	return otherwise
}
