package allowlist

import (
	"cmp"
	"context"

	"github.com/apguard/apguard/asset"
)

// Page sizes of [Service.List] and [Service.AllowedBy].
const (
	// MaxLimit is the maximum page size.
	MaxLimit = 1000
	// DefaultLimit is the page size of a request whose Limit is 0.
	DefaultLimit = 100
)

// ListRequest asks for a page of an organization's allowlist.
type ListRequest struct {
	OrganizationID int64
	// Cursor is the NextCursor of the previous page, or 0 for the first page.
	Cursor int64
	// Limit is the size of the page, at most [MaxLimit]. 0 means [DefaultLimit].
	Limit int
}

// Validate returns an [*asset.InputError] that names every invalid field.
func (req ListRequest) Validate() error {
	var issues asset.Issues
	issues.CheckID("organizationId", req.OrganizationID)
	checkPage(&issues, req.Cursor, req.Limit)
	return issues.Err()
}

// Page is a page of an organization's allowlist.
type Page struct {
	Entries []Entry `json:"entries"`
	// NextCursor continues the list. It is 0 on the last page.
	NextCursor int64 `json:"nextCursor,omitzero"`
}

// List returns a page of the organization's allowlist, ordered by asset ID. The page has
// at most [asset.MaxPageBytes], so it may be shorter than the limit and still have a next
// one. Entries that are added between two pages may be missing. List returns an
// [*asset.InputError] for an invalid request.
func (s *Service) List(ctx context.Context, req ListRequest) (Page, error) {
	if err := req.Validate(); err != nil {
		return Page{}, err
	}
	req.Limit = cmp.Or(req.Limit, DefaultLimit)
	found, err := s.store.AllowlistEntries(ctx, req, s.clock())
	page := Page{Entries: found.Items}
	if found.More {
		page.NextCursor = found.Last().Asset.ID
	}
	return page, err
}

// checkPage checks the cursor and the limit of a list.
func checkPage(issues *asset.Issues, cursor int64, limit int) {
	issues.Check(cursor == 0 || asset.ValidID(cursor), "cursor", "must be the cursor of a page")
	issues.CheckLimit(limit, MaxLimit)
}
