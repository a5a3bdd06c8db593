package storagetest

import (
	"bytes"
	"slices"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/apguard/apguard/account"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/audit/trail"
)

// anyAct draws the entry of an act, or none. A store that is tested in part need not list the trail, and is
// given none.
func (m *machine) anyAct(t *rapid.T) audit.Entry {
	if !m.tells || rapid.Bool().Draw(t, "not told") {
		return audit.Entry{}
	}
	entry := act()
	entry.At = anyTime.Draw(t, "told at")
	entry.Kind = rapid.SampledFrom(audit.Kinds()).Draw(t, "kind of act")
	entry.Actor.UserID = maybe(anyUser).Draw(t, "actor of act")
	return entry
}

// tell appends an entry to the trail, unless it is zero.
func (m *model) tell(entry audit.Entry) {
	if !entry.IsZero() {
		m.trail = append(m.trail, entry)
	}
}

// removeKeys removes the keys that match, and appends an entry for each. The given one is of their owner.
func (m *model) removeKeys(owner audit.Entry, match func(account.Key) bool) {
	for _, key := range slices.SortedFunc(slices.Values(m.keys), func(a, b account.Key) int { return bytes.Compare(a.Hash[:], b.Hash[:]) }) {
		if match(key) {
			m.tell(key.Removed(owner))
		}
	}
	m.keys = slices.DeleteFunc(m.keys, match)
}

// compareTrail copies the IDs of new entries to the model and compares the audit trails.
func (m *machine) compareTrail() {
	m.Helper()
	got := m.auditTrail()
	require.Len(m, got, len(m.model.trail), "the audit trail")
	for i, entry := range got {
		if known := &m.model.trail[i]; known.ID == 0 {
			m.assigned("audit entry", entry.ID)
			known.ID = entry.ID
		}
	}
	require.Equal(m, orNil(m.model.trail), orNil(got), "the audit trail")
}

func (m *machine) readTrail(t *rapid.T) {
	filter := trail.Filter{
		Kind:   sometimes(rapid.SampledFrom(audit.Kinds())).Draw(t, "kind"),
		UserID: sometimes(anyUser).Draw(t, "user"),
	}
	m.compareTrail()
	before, limit := rapid.Int64Range(0, m.last["audit entry"]+1).Draw(t, "before"), anyLimit.Draw(t, "limit")
	var want []audit.Entry
	for _, entry := range slices.Backward(m.model.trail) {
		if (before == 0 || entry.ID < before) && filter.Matches(entry) {
			want = append(want, entry)
		}
	}
	samePage(m, want, limit, m.auditPage(filter, before, limit), "AuditEntries with %+v before %d", filter, before)
}
