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
// An adapter that cannot do all of it, such as one that works inside the host's
// transaction, opts out of a part. It names a subject or one check, and says why:
//
//	storagetest.Run(t, open,
//		storagetest.OptOut{Name: "Closed", Reason: "the host closes what it has opened"},
//		storagetest.OptOut{Name: "Concurrency/one of four imports succeeds", Reason: "hosts import once"},
//	)
//
// Such a subtest is skipped with its reason. A name that the suite does not have
// fails the run, so that no opt-out outlives its check. All checks that make
// several calls at once are in the subject Concurrency.
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
// Stores may rely on what the services refuse, such as a text with NUL. The subject
// Services holds them to it.
//
// What the suite cannot see is up to the adapter's own tests: that a step
// survives a crash, migrations, and several processes on one database.
package storagetest

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage"
)

// Run tests the stores that open returns. Each must be empty, and nobody else may
// use it. Run closes them.
//
// What the opt-outs name is skipped. One that is wrong, as [OptOut] has it, fails
// the test before any store is opened.
func Run(t *testing.T, open func(t *testing.T) storage.Store, optOuts ...OptOut) {
	t.Helper()
	require.NoError(t, checkOptOuts(optOuts))
	for _, s := range subjects() {
		t.Run(s.name, func(t *testing.T) {
			skipOptedOut(t, s.name, optOuts)
			for _, c := range s.checks {
				t.Run(c.name, func(t *testing.T) {
					skipOptedOut(t, s.nameOf(c), optOuts)
					c.run(newProbe(t, open))
				})
			}
		})
	}
	t.Run(stateMachine, func(t *testing.T) {
		skipOptedOut(t, stateMachine, optOuts)
		runMachine(t, open)
	})
}

// stateMachine is the name of the last subtest, which has no checks below it.
const stateMachine = "StateMachine"

// subject is a part of the contract.
type subject struct {
	name   string
	checks []check
}

// nameOf returns the name of a check of the subject.
func (s subject) nameOf(c check) string {
	return s.name + "/" + c.name
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
		{"KeyLifecycle", keyLifecycleChecks()},
		{"Assets", assetChecks()},
		{"Changelog", changelogChecks()},
		{"ChangeFilter", changeFilterChecks()},
		{"Feed", feedChecks()},
		{"History", historyChecks()},
		{"Prune", pruneChecks()},
		{"Allowlist", allowlistChecks()},
		{"DisputeCreate", disputeCreateChecks()},
		{"DisputeUpdate", disputeUpdateChecks()},
		{"DisputeList", disputeListChecks()},
		{"Reports", reportChecks()},
		{"Reviews", slices.Concat(reviewChecks(), keptReviewChecks())},
		{"Withdrawals", withdrawalChecks()},
		{"Escalations", escalationChecks()},
		{"ReportFilter", reportFilterChecks()},
		{"Import", importChecks()},
		{"Texts", textChecks()},
		{"Times", timeChecks()},
		{"Services", serviceChecks()},
		{"Concurrency", slices.Concat(concurrencyChecks(), keyRaceChecks(), feedRaceChecks(), disputeRaceChecks(), reviewRaceChecks())},
		{"Aliasing", aliasingChecks()},
		{"EndedContext", endedContextChecks()},
		{"Interruption", interruptionChecks()},
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
