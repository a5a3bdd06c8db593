package client

import (
	"context"
	"iter"
	"net/url"
	"time"

	"github.com/apguard/apguard/asset"
)

// AllowlistFilter selects entries of an allowlist. An entry must match all fields that are set.
type AllowlistFilter struct {
	// Status is the present status of the asset.
	Status asset.Status
	// Prefix is the beginning of the canonical form.
	Prefix string
	// AddedSince selects entries that were added at or after this time, and AddedBefore those before it.
	AddedSince, AddedBefore time.Time
}

// OperatorEntriesRequest asks for a page of the allowlist of an organization.
type OperatorEntriesRequest struct {
	// OrganizationID is that of an organization that may be deactivated or removed.
	OrganizationID int64
	Filter         AllowlistFilter
	// Cursor is the NextCursor of the previous page, or 0 for the first page.
	Cursor int64
	// Limit is the largest number of entries in a page, from 1 to 1,000. Zero means 100.
	Limit int
}

// OperatorEntry is an asset on the allowlist of an organization, as operators see it.
type OperatorEntry struct {
	// ID is the ID of the asset.
	ID   int64      `json:"id"`
	Type asset.Type `json:"type"`
	// Content is the canonical form of the asset.
	Content string       `json:"content"`
	Status  asset.Status `json:"status"`
	AddedAt time.Time    `json:"addedAt"`
	// ExpiresAt is zero if the entry does not expire.
	ExpiresAt time.Time `json:"expiresAt"`
}

// OperatorEntries is a page of an allowlist, ordered by the IDs of the assets.
type OperatorEntries struct {
	Entries []OperatorEntry `json:"assets"`
	// NextCursor continues the list. It is 0 on the last page.
	NextCursor int64 `json:"nextCursor"`
}

func (p *OperatorEntries) validate() error {
	return validatePage(p.Entries, func(e OperatorEntry) error {
		return validateAllowed(Entry{ID: e.ID, Type: e.Type, Content: e.Content, Status: e.Status})
	}, p.NextCursor)
}

// ListAllowlist returns a page of the allowlist of an organization.
func (o *Operator) ListAllowlist(ctx context.Context, req OperatorEntriesRequest) (OperatorEntries, error) {
	query := make(url.Values)
	setNumber(query, "organizationId", req.OrganizationID)
	setText(query, "status", req.Filter.Status)
	setText(query, "prefix", req.Filter.Prefix)
	setTime(query, "addedSince", req.Filter.AddedSince)
	setTime(query, "addedBefore", req.Filter.AddedBefore)
	setNumber(query, "cursor", req.Cursor)
	setNumber(query, "limit", int64(req.Limit))
	return getPage[OperatorEntries](ctx, o.sender, "/allowlist/list", query)
}

// Allowlist yields all entries from req.Cursor on, page by page.
func (o *Operator) Allowlist(ctx context.Context, req OperatorEntriesRequest) iter.Seq2[OperatorEntry, error] {
	return pages("GET /allowlist/list", req.Cursor, func(cursor int64) ([]OperatorEntry, int64, error) {
		req.Cursor = cursor
		page, err := o.ListAllowlist(ctx, req)
		return page.Entries, page.NextCursor, err
	})
}

// ClearAllowlistRequest selects entries to remove from the allowlist of an organization.
type ClearAllowlistRequest struct {
	// OrganizationID is that of an organization that may be deactivated or removed.
	OrganizationID int64
	// Filter selects the entries. The zero value selects all.
	Filter AllowlistFilter
	// DryRun asks what would be removed. Nothing changes.
	DryRun bool
}

// ClearedAllowlist is what was removed from an allowlist, or would be.
type ClearedAllowlist struct {
	// Removed is the number of entries.
	Removed int
	// Changed is the number of their assets that have another status now, or would have one.
	Changed int
}

type clearedAnswer struct {
	Removed    *int  `json:"removed"`
	Changed    *int  `json:"changed"`
	NextCursor int64 `json:"nextCursor"`
}

func (a *clearedAnswer) validate() error {
	if a.Removed == nil || a.Changed == nil {
		return responseError("it does not say what was removed")
	}
	return validateCursor(a.NextCursor)
}

// ClearAllowlist removes entries from the allowlist of an organization, which cannot be undone, in as many requests as
// that takes. It returns what it has removed, even if it fails; then another call removes the rest.
func (o *Operator) ClearAllowlist(ctx context.Context, req ClearAllowlistRequest) (ClearedAllowlist, error) {
	var cleared ClearedAllowlist
	for cursor := int64(0); ; {
		answer, err := change[clearedAnswer](ctx, o, "/allowlist/clear", struct {
			OrganizationID int64        `json:"organizationId"`
			Status         asset.Status `json:"status,omitzero"`
			Prefix         string       `json:"prefix,omitzero"`
			AddedSince     time.Time    `json:"addedSince,omitzero"`
			AddedBefore    time.Time    `json:"addedBefore,omitzero"`
			DryRun         bool         `json:"dryRun,omitzero"`
			Cursor         int64        `json:"cursor,omitzero"`
		}{
			req.OrganizationID, req.Filter.Status, req.Filter.Prefix, req.Filter.AddedSince, req.Filter.AddedBefore, req.DryRun, cursor,
		})
		if err != nil {
			return cleared, err
		}
		cleared.Removed += *answer.Removed
		cleared.Changed += *answer.Changed
		switch {
		case answer.NextCursor == 0:
			return cleared, nil
		case answer.NextCursor <= cursor:
			return cleared, &Error{Operation: "POST /allowlist/clear", Err: responseError("the cursor does not move on")}
		}
		cursor = answer.NextCursor
	}
}
