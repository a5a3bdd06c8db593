package storagetest

import (
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/step"
	"github.com/apguard/apguard/storage"
)

// machine executes the same random steps on a store and on a model, and compares the
// results.
type machine struct {
	*probe
	model model
	// counted are the changes that the store has reported, by their To.
	counted map[asset.Status]int
	// last is the largest ID of each kind that the store has assigned or been given.
	last map[string]int64
	// pruned is Next of the last pruning step.
	pruned asset.ChangeCursor
	// follows reports whether the store has a feed.
	follows bool
	// tells reports whether the store has an audit trail to read.
	tells    bool
	follower follower
	// pageSize is the size of the pages in which the run reads whole lists.
	pageSize int
}

// readsAtEnd is the number of pages that are read at the end of a run.
const readsAtEnd = 8

func runMachine(t *testing.T, part Part, open func(t *testing.T) storage.Store) {
	t.Helper()
	parts := []Part{part, part, part}
	for _, other := range append(Parts(), voices) {
		if part.includes(other) {
			parts = append(parts, other)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		store := open(t)
		defer func() { require.NoError(rt, store.Close(), "Close") }()
		counted := countingT{T: rt, changes: make(map[asset.Status]int)}
		m := &machine{probe: &probe{testingT: counted, Store: store}, counted: counted.changes, last: make(map[string]int64), follows: part.includes(Feed), tells: part == whole}
		m.model.recorded = make(map[asset.Status]int)
		m.model.decisions = make(map[int64]*modelDecision)
		m.model.bases = make(map[int64]asset.Basis)
		m.model.records = make(map[idempotency.ID]idempotency.Record)
		m.pageSize = rapid.IntRange(1, 2).Draw(rt, "page size")
		// The steps of few interfaces reach states that those of all rarely do.
		drawn := rapid.SampledFrom(parts).Draw(rt, "part")
		steps, reads := m.calls(drawn), m.reads(drawn)
		maps.Copy(steps, reads)
		rt.Repeat(steps)
		// Now the lists are the longest.
		for range readsAtEnd {
			reads[rapid.SampledFrom(slices.Sorted(maps.Keys(reads))).Draw(rt, "read")](rt)
		}
		if m.tells {
			m.readTrail(rt)
		}
		m.compareAll(drawn)
	})
}

// countingT counts the changes that stores report.
type countingT struct {
	*rapid.T
	changes map[asset.Status]int
}

func (t countingT) Context() context.Context {
	return storage.WithChangeCounter(t.T.Context(), func(to asset.Status, n int) { t.changes[to] += n })
}

// calls returns the steps that need no other interfaces than the part.
func (m *machine) calls(part Part) map[string]func(*rapid.T) {
	return within(part, map[Part]map[string]func(*rapid.T){
		Accounts: {
			"PutOrganization": m.putRandomOrganization,
			"PutGroup":        m.putRandomGroup,
			"PutUser":         m.putRandomUser,
			"UpdateAccount":   m.updateRandomAccount,
			"RemoveAccount":   m.removeRandomAccount,
		},
		Keys: {
			"PutKey":       m.putRandomKeys,
			"UpdateKey":    m.updateKeyRandomly,
			"RevokeKey":    m.revokeKeyRandomly,
			"RevokeAll":    m.revokeAllRandomly,
			"RecordKeyUse": m.recordUseRandomly,
		},
		Assets:  {"SetAssetStatuses": m.setRandomStatuses, "Withdraw": m.withdrawDecision, "ExpireDecisions": m.expireDecisionsRandomly},
		History: {"PruneChanges": m.pruneRandomly},
		Allowlist: {
			"AddToAllowlist":           m.addRandomly,
			"RemoveFromAllowlist":      m.removeRandomly,
			"AddAndRemove":             m.addAndRemove,
			"SetEntryExpiry":           m.setExpiryRandomly,
			"ExpireEntries":            m.expireRandomly,
			"AddToAllowlist (dry run)": m.previewAdditions,
		},
		Disputes: {
			"CreateDispute": m.disputeRandomly,
			"DisputeNote":   m.addNoteRandomly,
			"DisputeState":  m.transitionRandomly,
			"EraseDisputes": m.eraseRandomly,
			"PruneDisputes": m.pruneDisputesRandomly,
		},
		Reports: {"FileReport": m.fileRandomly, "ReportByID": m.readReport},
		Reviews: {
			"AddReviews":     m.reviewRandomly,
			"WithdrawReview": m.withdrawRandomly,
			"Escalate":       m.escalateRandomly,
			"PruneReports":   m.pruneReportsRandomly,
		},
		Lists: {
			"PutList":         m.putRandomList,
			"RemoveList":      m.removeRandomList,
			"DecideEntries":   m.decideRandomly,
			"WithdrawEntries": m.endRandomly,
		},
		Webhooks: {
			"AddEndpoint":    m.addRandomEndpoint,
			"UpdateEndpoint": m.updateEndpointRandomly,
			"RemoveEndpoint": m.removeRandomEndpoint,
		},
		whole: {
			"Import":           m.importRandomly,
			"PruneIdempotency": m.pruneIdempotencyRandomly,
		},
	})
}

// reads returns the steps that read a page and need no other interfaces than the part.
func (m *machine) reads(part Part) map[string]func(*rapid.T) {
	return within(part, map[Part]map[string]func(*rapid.T){
		Accounts:      {"Organizations": m.readOrganizations, "Users": m.readUsers},
		Keys:          {"KeyPage": m.readKeys},
		Assets:        {"Assets": m.readAssets, "Changes": m.readChanges, "Held": m.readHeld, "Check": m.checkRandomly, "DueDecisions": m.readDue},
		Feed:          {"Since": m.followRandomly},
		Allowlist:     {"AllowlistEntries": m.readEntries, "AllowedBy": m.readAllowing},
		Disputes:      {"Disputes": m.readDisputes},
		DisputeEvents: {"DisputeEvents": m.readDisputeEvents},
		Reports:       {"Reports": m.readReports},
		Reviews:       {"Reviews": m.readReviews},
		Lists:         {"Lists": m.readLists, "ListEntries": m.readListEntries},
		Webhooks:      {"Endpoints": m.readEndpoints, "DueEndpoints": m.readDueEndpoints},
		whole:         {"AuditEntries": m.readTrail},
	})
}

// within returns the steps that need no other interfaces than the part.
func within(part Part, all map[Part]map[string]func(*rapid.T)) map[string]func(*rapid.T) {
	steps := make(map[string]func(*rapid.T))
	for needed, some := range all {
		if part.includes(needed) {
			maps.Copy(steps, some)
		}
	}
	return steps
}

// samePage requires the page of step.ReadPage of the list.
func samePage[T step.PageItem](m *machine, list []T, limit int, got step.Page[T], msgAndArgs ...any) {
	m.Helper()
	got.Items = orNil(got.Items)
	require.Equal(m, firstPage(list, limit), got, msgAndArgs...)
}

// sameList requires the list in pages of the machine's size. It calls read as pages does.
func sameList[T step.PageItem](m *machine, list []T, read func(last T) step.Page[T]) {
	m.Helper()
	require.Equal(m, orNil(list), orNil(allPages(m.probe, m.pageSize, read)), "pages of %d must return the whole list", m.pageSize)
}

// assigned records IDs that the store assigned in one step. They must be different and
// larger than all earlier ones.
func (m *machine) assigned(kind string, ids ...int64) {
	m.Helper()
	before := m.last[kind]
	for i, id := range ids {
		require.Greater(m, id, before, "the ID of a new %s must be larger than all earlier ones", kind)
		require.LessOrEqual(m, id, int64(asset.MaxID), "the ID of a new %s must be at most 2^53-1", kind)
		require.NotContains(m, ids[:i], id, "two new %ss have the same ID", kind)
		m.last[kind] = max(m.last[kind], id)
	}
}

// compareAll compares all records of the part with the model.
func (m *machine) compareAll(part Part) {
	m.Helper()
	compare := func(needed Part, records func()) {
		if part.includes(needed) {
			records()
		}
	}
	compare(Assets, m.compareChanges)
	compare(Assets, m.compareAssets)
	compare(Assets, func() { require.Equal(m, m.model.recorded, m.counted, "the changes for storage.ChangeCounter") })
	compare(Feed, m.compareFeed)
	compare(Accounts, m.compareUsers)
	for _, organization := range organizationIDs {
		compare(Accounts, func() { m.compareOrganization(organization) })
		compare(Keys, func() { m.compareKeys(organization) })
		compare(Allowlist, func() { m.compareEntries(organization) })
		compare(Reports, func() { m.compareReports(report.InOrganization(organization)) })
	}
	compare(Allowlist, m.compareAllowing)
	compare(Reports, func() { m.compareReports(report.AnyOrganization()) })
	compare(Reviews, m.compareReviews)
	compare(Keys, m.compareKeyRecords)
	compare(Keys, m.compareKeyPages)
	compare(Disputes, m.compareDisputes)
	compare(DisputeEvents, m.compareDisputeEvents)
	compare(Lists, m.compareLists)
	compare(Lists, m.compareListEntries)
	compare(Webhooks, m.compareEndpoints)
}
