// Package storagetest is the conformance suite for stores. An adapter that passes
// [Run] satisfies the contract of package storage.
//
// The test of an adapter needs a function that opens a new, empty store:
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
// # Half-written stores
//
// An unfinished adapter embeds [storage.Unimplemented] and runs the parts that it has
// implemented:
//
//	storagetest.RunPart(t, storagetest.Accounts, open)
//	storagetest.RunPart(t, storagetest.Assets, open)
//
// The documentation of package storage lists the interfaces in the order in which to
// implement them. Run and RunPart first report the methods that are missing.
//
// # Opting out
//
// An adapter that cannot pass a subject or a check opts out of it and says why:
//
//	storagetest.Run(t, open,
//		storagetest.OptOut{Name: "Closed", Reason: "the host application closes the database"},
//		storagetest.OptOut{Name: "Concurrency/one of four concurrent imports succeeds", Reason: "one connection"},
//	)
//
// The subtest is skipped with the reason. An unknown name fails the run, so that no
// opt-out outlives its check. All checks with concurrent calls are in the subject
// Concurrency.
//
// # How the suite works
//
// Each subtest opens its own store and closes it at the end. Close must not fail when
// called twice. The t that open receives is that of the subtest, so its temporary
// directory lives as long as the store. At most one store is open at a time.
//
// A subtest is named after the promise that it tests. The last one, StateMachine, runs
// random steps and compares every answer with a plain model. On failure it prints the
// shortest failing sequence that it found. It opens a hundred stores and takes about
// thirty steps in each; the flags -rapid.checks and -rapid.steps change that.
//
// The adapter's own tests must cover what the suite cannot see: durability after a
// crash, migrations, and several processes on one database.
package storagetest

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/storage"
)

// Run tests the stores that open returns against the whole contract. Each store must be
// empty and unused by others. Run closes it.
//
// Run skips what the opt-outs name. An invalid [OptOut] fails the test before any store
// is opened.
func Run(t *testing.T, open func(t *testing.T) storage.Store, optOuts ...OptOut) {
	t.Helper()
	run(t, whole, open, optOuts)
	t.Run(stateMachine, func(t *testing.T) {
		skipOptedOut(t, stateMachine, optOuts)
		runMachine(t, open)
	})
}

// RunPart is Run for one part of the contract. It requires only the interfaces of that
// part; see [Part]. It skips the checks that also need other parts.
func RunPart(t *testing.T, part Part, open func(t *testing.T) storage.Store, optOuts ...OptOut) {
	t.Helper()
	run(t, part, open, optOuts)
}

func run(t *testing.T, part Part, open func(t *testing.T) storage.Store, optOuts []OptOut) {
	t.Helper()
	require.NoError(t, checkOptOuts(optOuts))
	require.NotEmpty(t, part.subjects(), "the suite has no part %q", part)
	requireImplemented(t, part, open)
	for _, s := range part.subjects() {
		t.Run(s.name, func(t *testing.T) {
			skipOptedOut(t, s.name, optOuts)
			for _, c := range s.checks {
				t.Run(c.name, func(t *testing.T) {
					skipOptedOut(t, s.nameOf(c), optOuts)
					p := newProbe(t, open)
					if part != whole {
						p.skip = func(reason string) { t.Skip(reason) }
					}
					c.run(p)
				})
			}
		})
	}
}

// stateMachine is the name of the last subtest, which has no checks below it.
const stateMachine = "StateMachine"

// subject is a group of checks.
type subject struct {
	name   string
	part   Part
	checks []check
}

// nameOf returns the name of a check of the subject.
func (s subject) nameOf(c check) string {
	return s.name + "/" + c.name
}

// check tests one promise on a new store.
type check struct {
	name string
	run  func(p *probe)
}

func subjects() []subject {
	return []subject{
		{"Organizations", Accounts, organizationChecks()},
		{"Groups", Accounts, groupChecks()},
		{"Keys", Keys, keyChecks()},
		{"KeyLifecycle", Keys, keyLifecycleChecks()},
		{"Assets", Assets, assetChecks()},
		{"Changelog", Assets, changelogChecks()},
		{"ChangeFilter", Assets, changeFilterChecks()},
		{"History", History, historyChecks()},
		{"Prune", History, pruneChecks()},
		{"Feed", Feed, feedChecks()},
		{"Allowlist", Allowlist, allowlistChecks()},
		{"DisputeCreate", Disputes, disputeCreateChecks()},
		{"DisputeUpdate", Disputes, disputeUpdateChecks()},
		{"DisputeList", Disputes, disputeListChecks()},
		{"Reports", Reports, reportChecks()},
		{"ReportFilter", Reports, reportFilterChecks()},
		{"Reviews", Reviews, slices.Concat(reviewChecks(), storedReviewChecks())},
		{"Withdrawals", Reviews, withdrawalChecks()},
		{"Escalations", Reviews, escalationChecks()},
		{"Import", whole, importChecks()},
		{"Texts", whole, textChecks()},
		{"Times", whole, timeChecks()},
		{"Services", whole, serviceChecks()},
		{"Concurrency", whole, slices.Concat(concurrencyChecks(), keyRaceChecks(), feedRaceChecks(), disputeRaceChecks(), reviewRaceChecks())},
		{"Aliasing", whole, aliasingChecks()},
		{"Freshness", whole, freshnessChecks()},
		{"EndedContext", whole, endedContextChecks()},
		{"Interruption", whole, interruptionChecks()},
		{"Closed", whole, closedChecks()},
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
	return &probe{testingT: t, Store: store, another: func() *probe { return newProbe(t, open) }}
}
