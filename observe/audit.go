package observe

import (
	"context"

	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/audit/trail"
	"github.com/apguard/apguard/step"
)

// AuditEntries implements [storage.Store].
func (s observedStore) AuditEntries(ctx context.Context, filter trail.Filter, before int64, limit int) (step.Page[audit.Entry], error) {
	return get(ctx, s, "audit.list", func(ctx context.Context) (step.Page[audit.Entry], error) {
		return s.Store.AuditEntries(ctx, filter, before, limit)
	})
}
