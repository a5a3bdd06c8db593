package client

import (
	"context"
	"iter"
	"time"

	"github.com/apguard/apguard/audit"
)

// AuditEntry says who did what, and when; see [audit.Entry].
type AuditEntry struct {
	ID     int64        `json:"id"`
	At     time.Time    `json:"at"`
	Actor  AuditActor   `json:"actor"`
	Kind   audit.Kind   `json:"kind"`
	Action audit.Action `json:"action"`
	// Subject identifies the record. It may be empty.
	Subject string `json:"subject"`
	// Organization and User are those that the entry is about. Each is zero for none.
	Organization NamedOrganization `json:"organization"`
	User         NamedUser         `json:"user"`
	// Detail depends on the action. It may be empty.
	Detail string `json:"detail"`
}

// AuditActor is who acted.
type AuditActor struct {
	Channel audit.Channel `json:"channel"`
	// User is zero if it is unknown.
	User NamedUser `json:"user"`
	// Key is the fingerprint of the API key with which the user acted, or empty.
	Key string `json:"key"`
}

func validateEntry(entry AuditEntry) error {
	if entry.Kind == "" || entry.Action == "" || entry.Actor.Channel == "" {
		return responseError("an entry is incomplete")
	}
	return validateID(entry.ID)
}

// AuditRequest selects entries of the audit trail. An entry must match all fields that are set.
type AuditRequest struct {
	Kind audit.Kind
	// UserID selects the entries of acts of a user.
	UserID int64
	// Limit is the largest number of entries in a page, from 1 to 100. Zero means 50.
	Limit int
}

type auditPage struct {
	Entries    []AuditEntry `json:"entries"`
	NextCursor int64        `json:"nextCursor"`
}

func (p *auditPage) validate() error { return validatePage(p.Entries, validateEntry, p.NextCursor) }

// Audit yields the entries of the audit trail, newest first, page by page.
func (o *Operator) Audit(ctx context.Context, req AuditRequest) iter.Seq2[AuditEntry, error] {
	const path = "/audit/list"
	return pages("GET "+path, 0, func(cursor int64) ([]AuditEntry, int64, error) {
		query := pageQuery(cursor, req.Limit)
		setText(query, "kind", req.Kind)
		setNumber(query, "userId", req.UserID)
		page, err := getPage[auditPage](ctx, o.sender, path, query)
		return page.Entries, page.NextCursor, err
	})
}
