// Package testsize tells tests how much to do. There are three sizes:
//
//   - go test -short: what shows within seconds that a package works.
//   - go test: all rules, each of them once.
//   - APGUARD_TEST_FULL=1 go test, as in CI: also long random runs, kills, load, memory, and the
//     whole suite with every way to open a store.
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

// Measurement skips a test of memory that is not full, or is built with the race detector, which
// multiplies the memory. "make test-full" runs these tests again without it.
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

// OfUnraced is Of for a test that computes much and shares little. With the race detector, which makes it
// several times slower, a full test has the normal size. "make test-full" runs these tests again without it.
func OfUnraced[T any](short, normal, full T) T {
	if Full() && Race() {
		return normal
	}
	return Of(short, normal, full)
}

// Of returns the value for the size of the tests.
func Of[T any](short, normal, full T) T {
	switch {
	case testing.Short():
		return short
	case Full():
		return full
	default:
		return normal
	}
}
