package storagetest

import (
	"github.com/stretchr/testify/require"

	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/audit/trail"
	"github.com/apguard/apguard/step"
)

// act returns an entry without the fields that depend on the step.
func act() audit.Entry {
	return audit.Entry{
		At:    at(5),
		Actor: audit.Actor{Channel: audit.ChannelAPI, UserID: 9, Key: "0123456789ab"},
		Kind:  audit.KindUser, Action: audit.ActionCreated, Subject: "7",
	}
}

// auditTrail returns the entries, the oldest first.
func (p *probe) auditTrail() []audit.Entry {
	p.Helper()
	newest := p.auditPage(trail.Filter{}, 0, noLimit).Items
	oldest := make([]audit.Entry, len(newest))
	for i, entry := range newest {
		oldest[len(newest)-1-i] = entry
	}
	return oldest
}

func (p *probe) auditPage(filter trail.Filter, before int64, limit int) step.Page[audit.Entry] {
	p.Helper()
	page, err := p.AuditEntries(p.Context(), filter, before, limit)
	require.NoError(p, err, "AuditEntries before %d", before)
	return page
}

// told returns the entries without their IDs, the oldest first.
func (p *probe) told() []audit.Entry {
	p.Helper()
	entries := p.auditTrail()
	for i := range entries {
		entries[i].ID = 0
	}
	return entries
}
