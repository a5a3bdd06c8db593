package storagetest

import (
	"context"
	"maps"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/idempotency"
	"github.com/apguard/apguard/report"
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
	follows  bool
	follower follower
}

func runMachine(t *testing.T, part Part, open func(t *testing.T) storage.Store) {
	t.Helper()
	parts := []Part{part, part, part}
	for _, other := range Parts() {
		if part.includes(other) {
			parts = append(parts, other)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		store := open(t)
		defer func() { require.NoError(rt, store.Close(), "Close") }()
		counted := countingT{T: rt, changes: make(map[asset.Status]int)}
		m := &machine{probe: &probe{testingT: counted, Store: store}, counted: counted.changes, last: make(map[string]int64), follows: part.includes(Feed)}
		m.model.recorded = make(map[asset.Status]int)
		m.model.confirmed = make(map[int64]bool)
		m.model.records = make(map[idempotency.ID]idempotency.Record)
		// The steps of few interfaces reach states that those of all rarely do.
		rt.Repeat(m.steps(rapid.SampledFrom(parts).Draw(rt, "part")))
		m.compareAll(part)
	})
}

// countingT counts the changes that stores report.
type countingT struct {
	*rapid.T
	changes map[asset.Status]int
}

func (t countingT) Context() context.Context {
	return asset.WithChangeCounter(t.T.Context(), func(to asset.Status, n int) { t.changes[to] += n })
}

// steps returns the steps that need no other interfaces than the part.
func (m *machine) steps(part Part) map[string]func(*rapid.T) {
	steps := make(map[string]func(*rapid.T))
	for needed, some := range map[Part]map[string]func(*rapid.T){
		Accounts: {
			"PutOrganization": m.putRandomOrganization,
			"PutGroup":        m.putRandomGroup,
			"PutUser":         m.putRandomUser,
			"RemoveAccount":   m.removeRandomAccount,
			"Organizations":   m.readOrganizations,
		},
		Keys: {
			"PutKey":       m.putRandomKey,
			"UpdateKey":    m.updateKeyRandomly,
			"RevokeKey":    m.revokeKeyRandomly,
			"RecordKeyUse": m.recordUseRandomly,
		},
		Assets: {
			"SetAssetStatuses": m.setRandomStatuses,
			"Assets":           m.readAssets,
			"Changes":          m.readChanges,
		},
		History: {"PruneChanges": m.pruneRandomly},
		Feed:    {"Since": m.followRandomly},
		Allowlist: {
			"AddToAllowlist":           m.addRandomly,
			"AddToAllowlist (dry run)": m.previewAdditions,
			"RemoveFromAllowlist":      m.removeRandomly,
			"AddAndRemove":             m.addAndRemove,
			"SetEntryExpiry":           m.setExpiryRandomly,
			"ExpireEntries":            m.expireRandomly,
			"AllowlistEntries":         m.readEntries,
			"AllowedBy":                m.readAllowing,
		},
		Disputes: {
			"CreateDispute": m.disputeRandomly,
			"DisputeNote":   m.addNoteRandomly,
			"DisputeState":  m.transitionRandomly,
			"Disputes":      m.readDisputes,
			"EraseDisputes": m.eraseRandomly,
			"PruneDisputes": m.pruneDisputesRandomly,
		},
		DisputeEvents: {"DisputeEvents": m.compareDisputeEvents},
		Reports: {
			"FileReport": m.fileRandomly,
			"ReportByID": m.readReport,
			"Reports":    m.readReports,
		},
		Reviews: {
			"AddReviews":     m.reviewRandomly,
			"WithdrawReview": m.withdrawRandomly,
			"Escalate":       m.escalateRandomly,
			"Reviews":        m.readReviews,
			"PruneReports":   m.pruneReportsRandomly,
		},
		Webhooks: {
			"AddEndpoint":    m.addRandomEndpoint,
			"UpdateEndpoint": m.updateEndpointRandomly,
			"RemoveEndpoint": m.removeRandomEndpoint,
			"DueEndpoints":   m.readDueEndpoints,
		},
		whole: {
			"Import":           m.importRandomly,
			"PruneIdempotency": m.pruneIdempotencyRandomly,
		},
	} {
		if part.includes(needed) {
			maps.Copy(steps, some)
		}
	}
	return steps
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
	compare(Assets, func() { require.Equal(m, m.model.recorded, m.counted, "the changes for asset.ChangeCounter") })
	compare(Feed, m.compareFeed)
	compare(Accounts, m.compareUsers)
	for _, organization := range organizationIDs {
		compare(Accounts, func() { m.compareOrganization(organization) })
		compare(Keys, func() { m.compareKeys(organization) })
		compare(Allowlist, func() {
			require.Equal(m, m.model.allEntries(organization), orNil(m.entries(organization)), "the allowlist of organization %d", organization)
		})
		compare(Reports, func() { m.compareReports(report.InOrganization(organization)) })
	}
	compare(Reports, func() { m.compareReports(report.AnyOrganization()) })
	compare(Reviews, m.compareReviews)
	compare(Keys, m.compareKeyRecords)
	compare(Disputes, m.compareDisputes)
	compare(DisputeEvents, func() { m.compareDisputeEvents(nil) })
	compare(Webhooks, m.compareEndpoints)
}
