package storagetest

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/report"
	"github.com/apguard/apguard/storage"
)

// machine takes the same random steps in a store and in the model, and compares
// the answers.
type machine struct {
	*probe
	model model
	// last is the largest identifier of each kind that the store has given, or
	// that it was given.
	last map[string]int64
	// pruned is the cursor of the last step of pruning.
	pruned   asset.ChangeCursor
	follower follower
}

func runMachine(t *testing.T, open func(t *testing.T) storage.Store) {
	t.Helper()
	rapid.Check(t, func(rt *rapid.T) {
		store := open(t)
		defer func() { require.NoError(rt, store.Close(), "Close") }()
		m := &machine{probe: &probe{testingT: rt, Store: store}, last: make(map[string]int64)}
		rt.Repeat(map[string]func(*rapid.T){
			"PutOrganization":  m.putRandomOrganization,
			"PutGroup":         m.putRandomGroup,
			"PutUser":          m.putRandomUser,
			"PutKey":           m.putRandomKey,
			"UpdateKey":        m.updateKeyRandomly,
			"RevokeKey":        m.revokeKeyRandomly,
			"RecordKeyUse":     m.recordUseRandomly,
			"Organizations":    m.readOrganizations,
			"SetAssetStatus":   m.setRandomStatus,
			"Changes":          m.readChanges,
			"PruneChanges":     m.pruneRandomly,
			"Since":            m.followRandomly,
			"StatusesAt":       m.readStatuses,
			"AddToAllowlist":   m.addRandomly,
			"AllowlistEntries": m.readEntries,
			"AllowedBy":        m.readAllowing,
			"CreateDispute":    m.disputeRandomly,
			"DisputeNote":      m.addNoteRandomly,
			"DisputeState":     m.transitionRandomly,
			"Disputes":         m.readDisputes,
			"FileReport":       m.fileRandomly,
			"AddReviews":       m.reviewRandomly,
			"WithdrawReview":   m.withdrawRandomly,
			"Escalate":         m.escalateRandomly,
			"Reviews":          m.readReviews,
			"ReportByID":       m.readReport,
			"Reports":          m.readReports,
			"Import":           m.importRandomly,
		})
		m.compareAll()
	})
}

// assigned notes identifiers that the store gave in one step: each must be above all
// that there were before, and none come twice.
func (m *machine) assigned(kind string, given ...int64) {
	m.Helper()
	before := m.last[kind]
	for i, id := range given {
		require.Greater(m, id, before, "the identifier of a new %s must be above all earlier ones", kind)
		require.LessOrEqual(m, id, int64(asset.MaxID), "the identifier of a new %s", kind)
		require.NotContains(m, given[:i], id, "two %ss of one step have one identifier", kind)
		m.last[kind] = max(m.last[kind], id)
	}
}

// compareAll compares everything that the store holds.
func (m *machine) compareAll() {
	m.Helper()
	m.compareChanges()
	m.compareFeed()
	for _, organization := range organizationIDs {
		m.compareOrganization(organization)
		m.compareKeys(organization)
		require.Equal(m, m.model.groupsOf(organization), orNil(m.groups(organization)), "the groups of organization %d", organization)
		require.Equal(m, m.model.entriesAfter(organization, 0, noLimit), orNil(m.entries(organization)), "the allowlist of organization %d", organization)
		m.sameReports(m.model.reportsBelow(organization, report.Filter{}, 0, noLimit), m.reports(organization, report.Filter{}))
	}
	m.sameReports(m.model.reportsBelow(0, report.Filter{}, 0, noLimit), m.reports(0, report.Filter{}))
	m.compareReviews()
	m.compareKeys(0)
	for n := range assetCount {
		m.compareAsset(machineAsset(n))
	}
	for _, secret := range secrets {
		m.compareKeyRecord(secret)
	}
	m.compareDisputes()
}
