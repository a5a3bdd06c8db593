package allowlist

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/step"
)

// Page sizes of [Service.List] and [Service.AllowedBy].
const (
	// MaxLimit is the maximum page size.
	MaxLimit = 1000
	// DefaultLimit is the page size of a request whose Limit is 0.
	DefaultLimit = 100
)

// MaxScan is the maximum number of entries that [Service.List] examines for a page with a filter.
const MaxScan = 10_000

// ListRequest asks for a page of an organization's allowlist.
type ListRequest struct {
	OrganizationID int64
	Filter         Filter
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
	req.Filter.check(&issues)
	return issues.Err()
}

// Filter selects entries. All fields that are set must match; the zero Filter matches every
// entry.
type Filter struct {
	// Status is the present status of the asset.
	Status asset.Status
	// GroupID is the group of the entry.
	GroupID int64
	// Prefix is the beginning of the canonical form of the asset.
	Prefix string
	// AddedSince selects entries that were added at or after this time, and AddedBefore those before it.
	AddedSince, AddedBefore time.Time
}

func (f Filter) check(issues *asset.Issues) {
	issues.Check(f.Status == "" || f.Status.Valid(), "status", "must be UNKNOWN, ALLOWED or BLOCKED")
	issues.CheckOptionalID("groupId", f.GroupID)
	issues.CheckText("prefix", f.Prefix)
	empty := !f.AddedSince.IsZero() && !f.AddedBefore.IsZero() && !f.AddedSince.Before(f.AddedBefore)
	issues.Check(!empty, "addedBefore", "must be after addedSince")
}

// Match reports whether the filter selects the entry. [Store.AllowlistEntries] must return the
// same entries.
func (f Filter) Match(e Entry) bool {
	return (f.Status == "" || f.Status == e.Asset.Status) &&
		(f.GroupID == 0 || f.GroupID == e.GroupID) &&
		strings.HasPrefix(e.Asset.Canonical, f.Prefix) &&
		(f.AddedSince.IsZero() || !e.AddedAt.Before(f.AddedSince)) &&
		(f.AddedBefore.IsZero() || e.AddedAt.Before(f.AddedBefore))
}

// Page is a page of an organization's allowlist.
type Page struct {
	Entries []Entry `json:"entries"`
	// NextCursor continues the list. It is 0 on the last page.
	NextCursor int64 `json:"nextCursor,omitzero"`
}

// NewPage returns the page of the entries that a store has found. The ID of the last asset that
// was examined is 0 if there are no more entries after it.
func NewPage(found step.Page[Entry], lastExamined int64) Page {
	page := Page{Entries: found.Items, NextCursor: lastExamined}
	if found.More {
		page.NextCursor = found.Last().Asset.ID
	}
	return page
}

// List returns a page of the organization's allowlist, ordered by asset ID. The page has at most
// [step.MaxPageBytes], and with a filter, List examines at most [MaxScan] entries for it. So it
// may be shorter than the limit, or empty, and still have a next one. Entries that are added
// between two pages may be missing. List returns an [*asset.InputError] for an invalid request.
func (s *Service) List(ctx context.Context, req ListRequest) (Page, error) {
	if err := req.Validate(); err != nil {
		return Page{}, err
	}
	req.Limit = cmp.Or(req.Limit, DefaultLimit)
	return s.store.AllowlistEntries(ctx, req, s.clock())
}

// checkPage checks the cursor and the limit of a list.
func checkPage(issues *asset.Issues, cursor int64, limit int) {
	issues.Check(cursor == 0 || asset.ValidID(cursor), "cursor", "must be the cursor of a page")
	issues.CheckLimit(limit, MaxLimit)
}
