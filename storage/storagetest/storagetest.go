// Package storagetest holds an adapter to the contract of package storage. An
// adapter that passes [Run] works with apguard.New; one that keeps the contract
// in all that callers can see passes.
//
// A test of your own adapter needs a function that opens a fresh, empty store:
//
//	package mystore_test
//
//	import (
//		"path/filepath"
//		"testing"
//
//		"github.com/stretchr/testify/require"
//
//		"github.com/apguard/apguard/storage"
//		"github.com/apguard/apguard/storage/storagetest"
//
//		"example.com/mystore"
//	)
//
//	func TestStore(t *testing.T) {
//		storagetest.Run(t, func(t *testing.T) storage.Store {
//			store, err := mystore.Open(t.Context(), filepath.Join(t.TempDir(), "test.db"))
//			require.NoError(t, err)
//			return store
//		})
//	}
//
// Each subtest opens a store of its own and closes it at its end, so the function
// neither closes nor empties anything; a second Close must be no error, as the
// contract has it. The t that it gets is that of the subtest: a temporary
// directory of it lives as long as the store. Stores are opened one after the
// other. The last subtest, StateMachine, opens a hundred of them and takes about
// thirty steps in each; the flags of package rapid (-rapid.checks, -rapid.steps)
// make that less or more.
//
// A subtest is named after what the contract asks for, and its failure says what
// came instead. StateMachine does random steps and compares every answer with a
// plain model; when it fails, it shows the shortest sequence of steps that it
// found, and rapid writes a file with which that sequence can be run again.
//
// What the suite cannot see is up to the adapter's own tests: that a step
// survives a crash, migrations, and several processes on one database.
package storagetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage"
)

// Run tests the stores that open returns. Each must be empty, and nobody else may
// use it. Run closes them.
func Run(t *testing.T, open func(t *testing.T) storage.Store) {
	t.Helper()
	for _, s := range subjects() {
		t.Run(s.name, func(t *testing.T) {
			for _, c := range s.checks {
				t.Run(c.name, func(t *testing.T) {
					c.run(newProbe(t, open))
				})
			}
		})
	}
	t.Run("StateMachine", func(t *testing.T) { runMachine(t, open) })
}

// subject is a part of the contract.
type subject struct {
	name   string
	checks []check
}

// check is one demand of the contract, held against a fresh store.
type check struct {
	name string
	run  func(p *probe)
}

func subjects() []subject {
	return []subject{
		{"Organizations", organizationChecks()},
		{"Groups", groupChecks()},
		{"Keys", keyChecks()},
		{"Assets", assetChecks()},
		{"Changelog", changelogChecks()},
		{"ChangeFilter", changeFilterChecks()},
		{"Allowlist", allowlistChecks()},
		{"Disputes", disputeChecks()},
		{"Reports", reportChecks()},
		{"Reviews", reviewChecks()},
		{"ReportFilter", reportFilterChecks()},
		{"Import", importChecks()},
		{"Texts", textChecks()},
		{"Times", timeChecks()},
		{"Concurrency", concurrencyChecks()},
		{"Aliasing", aliasingChecks()},
		{"EndedContext", endedContextChecks()},
		{"Closed", closedChecks()},
	}
}

// newProbe opens a store and closes it at the end of the test.
func newProbe(t *testing.T, open func(t *testing.T) storage.Store) *probe {
	t.Helper()
	store := open(t)
	require.NotNil(t, store, "open returned no store")
	t.Cleanup(func() {
		require.NoError(t, store.Close(), "Close at the end of the test")
	})
	return &probe{testingT: t, Store: store}
}
