package client

import (
	"context"
	"iter"
	"net/url"
	"time"

	"github.com/apguard/apguard/asset"
)

// Entry is an asset on the allowlist of an organization.
type Entry struct {
	// ID is the ID of the asset.
	ID   int64      `json:"id"`
	Type asset.Type `json:"type"`
	// Content is the canonical form of the asset.
	Content string `json:"content"`
	// Submitted is the content as the organization submitted it.
	Submitted   string `json:"submitted"`
	Name        string `json:"name"`
	Description string `json:"description"`
	// GroupID is 0 if the entry has no group.
	GroupID int64     `json:"groupId"`
	AddedAt time.Time `json:"addedAt"`
	// ExpiresAt is zero if the entry does not expire.
	ExpiresAt time.Time    `json:"expiresAt"`
	Status    asset.Status `json:"status"`
}

// AllowlistRequest asks for a page of the allowlist of the key's organization. An entry must match all
// filters that are set.
type AllowlistRequest struct {
	// Status is the present status of the asset.
	Status  asset.Status
	GroupID int64
	// Prefix is the beginning of the canonical form.
	Prefix string
	// Cursor is the NextCursor of the previous page, or 0 for the first page.
	Cursor int64
	// Limit is the largest number of entries in a page, from 1 to 1,000. Zero means 100.
	Limit int
}

// AllowlistPage is a page of an allowlist, ordered by the IDs of the assets.
type AllowlistPage struct {
	Entries []Entry `json:"assets"`
	// NextCursor continues the list. It is 0 on the last page.
	NextCursor int64 `json:"nextCursor"`
}

func (p *AllowlistPage) validate() error {
	return validatePage(p.Entries, validateAllowed, p.NextCursor)
}

func validateAllowed(entry Entry) error {
	if !asset.ValidID(entry.ID) || entry.Type == "" || entry.Content == "" || !entry.Status.Valid() {
		return responseError("an entry is incomplete")
	}
	return nil
}

const allowlistPath = "/organization/assets"

// ListAllowlist returns a page of the allowlist of the key's organization.
func (c *Client) ListAllowlist(ctx context.Context, req AllowlistRequest) (AllowlistPage, error) {
	query := make(url.Values)
	setText(query, "status", req.Status)
	setNumber(query, "groupId", req.GroupID)
	setText(query, "prefix", req.Prefix)
	setNumber(query, "cursor", req.Cursor)
	setNumber(query, "limit", int64(req.Limit))
	return getPage[AllowlistPage](ctx, c.sender, allowlistPath, query)
}

// Allowlist yields all entries from req.Cursor on, page by page.
func (c *Client) Allowlist(ctx context.Context, req AllowlistRequest) iter.Seq2[Entry, error] {
	return pages("GET "+allowlistPath, req.Cursor, func(cursor int64) ([]Entry, int64, error) {
		req.Cursor = cursor
		page, err := c.ListAllowlist(ctx, req)
		return page.Entries, page.NextCursor, err
	})
}
