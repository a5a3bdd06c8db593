// Package testsize tells tests how much to do. There are three sizes:
//
//   - go test -short: what shows within seconds that a package works.
//   - go test: all rules, each of them once.
//   - go test with APGUARD_TEST_FULL=1, as in CI: also long random runs, kills, load, memory,
//     and every way to open a store.
package testsize

import (
	"os"
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

// NotShort skips a test with -short.
func NotShort(tb testing.TB) {
	tb.Helper()
	if testing.Short() {
		tb.Skip("does not run with -short")
	}
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
