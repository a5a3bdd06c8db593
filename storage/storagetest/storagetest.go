// Package storagetest is the conformance suite for stores. [Run] tests an adapter
// against the contract of package storage.
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
// An unfinished adapter embeds a nil [storage.Store], implements Close, and tests the parts
// that it implements:
//
//	storagetest.RunPart(t, storagetest.Accounts, open)
//	storagetest.RunPart(t, storagetest.Assets, open)
//
// The documentation of package storage lists the interfaces in the order in which to
// implement them. If required methods are missing, Run and RunPart list them and fail
// before the first check.
//
// # Opting out
//
// The suite consists of subjects, and each subject of checks. An adapter that cannot
// pass one opts out of it and gives the reason:
//
//	storagetest.Run(t, open,
//		storagetest.OptOut{Name: "Closed", Reason: "the host application closes the database"},
//		storagetest.OptOut{Name: "Concurrency/one of four concurrent imports succeeds", Reason: "one connection"},
//	)
//
// The suite skips that subtest and logs the reason. An unknown name fails the run, so
// that an opt-out cannot remain after its check is removed or renamed. All checks with
// concurrent calls are in the subject Concurrency. [Brief] returns opt-outs for a short run.
//
// # How the suite works
//
// Each subtest opens its own store and closes it at the end. Close must not fail when
// called twice. The t that open receives is that of the subtest, so t.TempDir exists
// until the store is closed. At most one store is open at a time.
//
// Each subtest is named after the guarantee that it tests. The last one, StateMachine,
// calls random methods and compares every result with a simple model. Some of its runs call
// only the methods of one [Part]. On failure it
// prints the shortest failing sequence of calls that it found. It opens a hundred
// stores and takes about thirty steps in each; the flags -rapid.checks and -rapid.steps
// change that.
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

// Run tests the stores that open returns against the whole contract. Each call of open
// must return a new, empty store that nothing else uses. Run closes it.
//
// Run skips the subjects and checks that the opt-outs name. An invalid [OptOut] fails
// the test before any store is opened.
func Run(t *testing.T, open func(t *testing.T) storage.Store, optOuts ...OptOut) {
	t.Helper()
	run(t, whole, open, optOuts)
}

// RunPart is like [Run] for one part of the contract. It requires only the interfaces
// that the [Part] lists. It skips checks that need methods of other interfaces. The state
// machine calls only methods of the part.
func RunPart(t *testing.T, part Part, open func(t *testing.T) storage.Store, optOuts ...OptOut) {
	t.Helper()
	require.Contains(t, Parts(), part, "the suite has no such part")
	run(t, part, open, optOuts)
}

func run(t *testing.T, part Part, open func(t *testing.T) storage.Store, optOuts []OptOut) {
	t.Helper()
	require.NoError(t, checkOptOuts(optOuts))
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
	t.Run(stateMachine, func(t *testing.T) {
		skipOptedOut(t, stateMachine, optOuts)
		runMachine(t, part, open)
	})
}

// stateMachine is the name of the last subtest, which has no checks below it.
const stateMachine = "StateMachine"

// subject is a group of checks.
type subject struct {
	name   string
	part   Part
	checks []requirement
}

// nameOf returns the name of a check of the subject.
func (s subject) nameOf(c requirement) string {
	return s.name + "/" + c.name
}

// check tests one promise on a new store.
type requirement struct {
	name string
	run  func(p *probe)
}

func subjects() []subject {
	return []subject{
		{"Organizations", Accounts, slices.Concat(organizationChecks(), organizationPageChecks())},
		{"Users", Accounts, userChecks()},
		{"Groups", Accounts, groupChecks()},
		{"AccountRemove", Accounts, accountRemoveChecks()},
		{"Keys", Keys, keyChecks()},
		{"KeyList", Keys, keyListChecks()},
		{"KeyLifecycle", Keys, keyLifecycleChecks()},
		{"Assets", Assets, assetChecks()},
		{"AssetStatuses", Assets, setStatusesChecks()},
		{"Decisions", Assets, decisionChecks()},
		{"DecisionExpire", Assets, decisionExpireChecks()},
		{"DueDecisions", Assets, dueChecks()},
		{"AssetList", Assets, assetListChecks()},
		{"Verdicts", Assets, verdictChecks()},
		{"Changelog", Assets, slices.Concat(changelogChecks(), changelogPageChecks())},
		{"Prune", History, pruneChecks()},
		{"Feed", Feed, slices.Concat(feedChecks(), feedPageChecks())},
		{"Allowlist", Allowlist, slices.Concat(allowlistChecks(), allowlistPageChecks(), allowlistFilterChecks(), dryRunChecks())},
		{"AllowlistRemove", Allowlist, allowlistRemoveChecks()},
		{"AllowlistExpire", Allowlist, allowlistExpireChecks()},
		{"AllowlistIdempotency", Allowlist, slices.Concat(addIdempotencyChecks(), removeIdempotencyChecks())},
		{"DisputeCreate", Disputes, disputeCreateChecks()},
		{"StatusIdempotency", Assets, idempotencyChecks(statusClaimant())},
		{"DisputeIdempotency", Disputes, idempotencyChecks(disputeClaimant())},
		{"DisputeUpdate", Disputes, disputeUpdateChecks()},
		{"DisputeErase", Disputes, disputeEraseChecks()},
		{"DisputeList", Disputes, slices.Concat(disputeListChecks(), disputePageChecks())},
		{"DisputeEvents", DisputeEvents, disputeEventChecks()},
		{"ReportIdempotency", Reports, idempotencyChecks(reportClaimant())},
		{"Reports", Reports, slices.Concat(reportChecks(), reportPageChecks())},
		{"ReportFilter", Reports, reportFilterChecks()},
		{"ReportScan", Reports, reportScanChecks()},
		{"Reviews", Reviews, slices.Concat(reviewChecks(), storedReviewChecks(), reviewPageChecks())},
		{"Withdrawals", Reviews, withdrawalChecks()},
		{"Escalations", Reviews, escalationChecks()},
		{"Lists", Lists, listChecks()},
		{"ListEntries", Lists, slices.Concat(listDecideChecks(), listEntryChecks())},
		{"ListVoices", Lists, listVoiceChecks()},
		{"Basis", Lists, basisChecks()},
		{"Webhooks", Webhooks, endpointChecks()},
		{"Pending", whole, slices.Concat(actChecks(), actDecisionChecks())},
		{"PendingIdempotency", whole, idempotencyChecks(actClaimant())},
		{"PendingDecisionIdempotency", whole, idempotencyChecks(decisionClaimant())},
		{"AuditTrail", whole, auditChecks()},
		{"AssetsNear", whole, assetsNearChecks()},
		{"Figures", whole, figureChecks()},
		{"Import", whole, importChecks()},
		{"Texts", whole, textChecks()},
		{"Times", whole, timeChecks()},
		{"Services", whole, serviceChecks()},
		{"Closed", whole, closedChecks()},
		{"Concurrency", whole, slices.Concat(concurrencyChecks(), keyConcurrencyChecks(), feedConcurrencyChecks(), disputeConcurrencyChecks(),
			disputeEventConcurrencyChecks(),
			reviewConcurrencyChecks(), allowlistConcurrencyChecks(), disputePruneConcurrencyChecks(), reportPruneConcurrencyChecks(),
			claimConcurrencyChecks(addClaimant()), claimConcurrencyChecks(disputeClaimant()), claimConcurrencyChecks(statusClaimant()),
			claimConcurrencyChecks(reportClaimant()), claimConcurrencyChecks(actClaimant()), actConcurrencyChecks(),
			removeClaimConcurrencyChecks(), listConcurrencyChecks(), endpointConcurrencyChecks(), auditConcurrencyChecks())},
		{"Aliasing", whole, aliasingChecks()},
		{"Freshness", whole, freshnessChecks()},
		{"EndedContext", whole, endedContextChecks()},
		{"Interruption", whole, slices.Concat(interruptionChecks(), claimInterruptionChecks(addClaimant()), claimInterruptionChecks(disputeClaimant()))},
		{"Functions", whole, functionChecks()},
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
