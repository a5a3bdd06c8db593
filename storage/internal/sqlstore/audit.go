package sqlstore

import (
	"context"

	"github.com/Masterminds/squirrel"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/audit"
	"github.com/apguard/apguard/audit/trail"
	"github.com/apguard/apguard/step"
)

const (
	auditColumnNames = `happened_at, channel, actor, actor_key, kind, action, subject, organization_id, user_id, detail`

	insertAuditEntry = `INSERT INTO apguard_audit (` + auditColumnNames + `) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
)

// record appends an entry to the audit trail, unless it is zero.
func (s session) record(ctx context.Context, entry audit.Entry) error {
	if entry.IsZero() {
		return nil
	}
	return s.queue(ctx, insertAuditEntry, Millis(entry.At), string(entry.Actor.Channel), entry.Actor.UserID, entry.Actor.Key,
		string(entry.Kind), string(entry.Action), entry.Subject, entry.OrganizationID, entry.UserID, entry.Detail)
}

// AuditEntries implements trail.Store.
func (s *Store) AuditEntries(ctx context.Context, filter trail.Filter, before int64, limit int) (step.Page[audit.Entry], error) {
	return page(ctx, s, "audit entries", limit, s.dialect.AuditEntries(filter, before, limit), scanAuditEntry)
}

// AuditEntries returns the query for a page of the audit trail.
func (d Dialect) AuditEntries(filter trail.Filter, before int64, limit int) squirrel.SelectBuilder {
	query := d.selectFrom("apguard_audit", "id", auditColumnNames)
	if filter.Kind != "" {
		query = query.Where(squirrel.Eq{"kind": string(filter.Kind)})
	}
	if filter.UserID != 0 {
		query = query.Where(squirrel.Eq{"actor": filter.UserID})
	}
	if before <= 0 {
		before = asset.MaxID + 1
	}
	return query.Where(squirrel.Lt{"id": before}).OrderBy("id DESC").Limit(rowLimit(limit))
}

func scanAuditEntry(row Row) (audit.Entry, error) {
	var e audit.Entry
	err := row.Scan(&e.ID, (*timeColumn)(&e.At), (*string)(&e.Actor.Channel), &e.Actor.UserID, &e.Actor.Key,
		(*string)(&e.Kind), (*string)(&e.Action), &e.Subject, &e.OrganizationID, &e.UserID, &e.Detail)
	return e, err
}
