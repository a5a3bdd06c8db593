package memory

import (
	"context"
	"slices"

	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/audit/trail"
	"github.com/apguard/apguard/step"
)

// record appends an entry to the audit trail, unless it is zero.
func (t *tables) record(entry audit.Entry) {
	if entry.IsZero() {
		return
	}
	entry.ID, entry.At = int64(len(t.audit))+1, step.TruncateTime(entry.At)
	t.audit = append(t.audit, entry)
}

// AuditEntries implements [trail.Store].
func (s *Store) AuditEntries(ctx context.Context, filter trail.Filter, before int64, limit int) (step.Page[audit.Entry], error) {
	return read(ctx, s, func(t *tables) (step.Page[audit.Entry], error) {
		entries := t.audit
		if before > 0 {
			entries = entries[:min(int64(len(entries)), before-1)]
		}
		return step.ReadPage(limit, func(yield func(audit.Entry, error) bool) {
			for _, entry := range slices.Backward(entries) {
				if filter.Matches(entry) && !yield(entry, nil) {
					return
				}
			}
		})
	})
}
