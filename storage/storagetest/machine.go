package storagetest

import (
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
	// last is the largest ID of each kind that the store has assigned or been given.
	last map[string]int64
	// pruned is Next of the last pruning step.
	pruned   asset.ChangeCursor
	follower follower
}

func runMachine(t *testing.T, open func(t *testing.T) storage.Store) {
	t.Helper()
	rapid.Check(t, func(rt *rapid.T) {
		store := open(t)
		defer func() { require.NoError(rt, store.Close(), "Close") }()
		m := &machine{probe: &probe{testingT: rt, Store: store}, last: make(map[string]int64)}
		m.model.confirmed = make(map[int64]bool)
		m.model.records = make(map[idempotency.ID]idempotency.Record)
		rt.Repeat(map[string]func(*rapid.T){
			"PutOrganization":          m.putRandomOrganization,
			"PutGroup":                 m.putRandomGroup,
			"PutUser":                  m.putRandomUser,
			"RemoveAccount":            m.removeRandomAccount,
			"PruneDisputes":            m.pruneDisputesRandomly,
			"PruneReports":             m.pruneReportsRandomly,
			"EraseDisputes":            m.eraseRandomly,
			"PutKey":                   m.putRandomKey,
			"UpdateKey":                m.updateKeyRandomly,
			"RevokeKey":                m.revokeKeyRandomly,
			"RecordKeyUse":             m.recordUseRandomly,
			"Organizations":            m.readOrganizations,
			"SetAssetStatuses":         m.setRandomStatuses,
			"Assets":                   m.readAssets,
			"Changes":                  m.readChanges,
			"PruneChanges":             m.pruneRandomly,
			"Since":                    m.followRandomly,
			"AddToAllowlist":           m.addRandomly,
			"RemoveFromAllowlist":      m.removeRandomly,
			"SetEntryExpiry":           m.setExpiryRandomly,
			"ExpireEntries":            m.expireRandomly,
			"AddAndRemove":             m.addAndRemove,
			"AddToAllowlist (dry run)": m.previewAdditions,
			"AllowlistEntries":         m.readEntries,
			"AllowedBy":                m.readAllowing,
			"CreateDispute":            m.disputeRandomly,
			"DisputeNote":              m.addNoteRandomly,
			"DisputeState":             m.transitionRandomly,
			"Disputes":                 m.readDisputes,
			"FileReport":               m.fileRandomly,
			"AddReviews":               m.reviewRandomly,
			"WithdrawReview":           m.withdrawRandomly,
			"Escalate":                 m.escalateRandomly,
			"Reviews":                  m.readReviews,
			"ReportByID":               m.readReport,
			"Reports":                  m.readReports,
			"Import":                   m.importRandomly,
			"PruneIdempotency":         m.pruneIdempotencyRandomly,
		})
		m.compareAll()
	})
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

// compareAll compares all records of the store with the model.
func (m *machine) compareAll() {
	m.Helper()
	m.compareChanges()
	m.compareFeed()
	for _, organization := range organizationIDs {
		m.compareOrganization(organization)
		m.compareKeys(organization)
		require.Equal(m, m.model.groupsOf(organization), orNil(m.groups(organization)), "the groups of organization %d", organization)
		require.Equal(m, m.model.allEntries(organization), orNil(m.entries(organization)), "the allowlist of organization %d", organization)
		m.compareReports(report.InOrganization(organization))
	}
	m.compareReports(report.AnyOrganization())
	m.compareReviews()
	m.compareKeys(0)
	for n := range assetCount {
		m.compareAsset(machineAsset(n))
	}
	require.Equal(m, m.model.listed(), orNil(m.list(asset.Filter{})), "the list of assets")
	for _, secret := range secrets {
		m.compareKeyRecord(secret)
	}
	m.compareDisputes()
}
