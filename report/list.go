package report

import (
	"cmp"
	"context"

	"github.com/apguard/apguard/asset"
	"github.com/apguard/apguard/step"
)

// The limits of a page of reports.
const (
	// MaxLimit is the maximum number of reports on a page.
	MaxLimit = 100
	// DefaultLimit is the limit of a request whose limit is 0.
	DefaultLimit = 50
	// MaxScan is the maximum number of reports that are examined for a page.
	MaxScan = 5000
)

// ListRequest is the request of [Service.List].
type ListRequest struct {
	Scope  Scope
	Filter Filter
	// OldestFirst lists the oldest report first. By default, the newest comes first.
	OldestFirst bool
	// Cursor is the NextCursor of the previous page, or 0 for the first page.
	Cursor int64
	// Limit is the maximum number of reports in the page, from 1 to [MaxLimit]. 0 means
	// [DefaultLimit].
	Limit int
}

// Validate returns an [*asset.InputError] that names every invalid field.
func (req ListRequest) Validate() error {
	var issues asset.Issues
	req.Scope.check(&issues)
	issues.CheckLimit(req.Limit, MaxLimit)
	issues.Check(req.Cursor >= 0, "cursor", "must be a whole number from 1")
	return asset.JoinInput(issues.Err(), req.Filter.Validate())
}

// Page is a page of reports.
type Page struct {
	// Reports are ordered by ID. The newest comes first, unless the request says OldestFirst.
	Reports []Report `json:"reports"`
	// NextCursor is the cursor of the next page, or 0 if this is the last page. A page with
	// few reports, or none, may have a next one; see [Service.List].
	NextCursor int64 `json:"nextCursor,omitzero"`
}

// List returns a page of the reports in the scope that the filter matches. The error is
// that of [ListRequest.Validate].
//
// For one page, List examines at most [MaxScan] reports: those in the scope after the
// cursor, in the order of the list. If the filter has a Status, only reports with that status count. A
// page also has at most [step.MaxPageBytes]. If reports remain, the page has a
// NextCursor, even if it has fewer reports than the limit, or none. A caller that wants all
// matches continues until NextCursor is 0.
func (s *Service) List(ctx context.Context, req ListRequest) (Page, error) {
	if err := req.Validate(); err != nil {
		return Page{}, err
	}
	req.Limit = cmp.Or(req.Limit, DefaultLimit)
	return s.store.Reports(ctx, req)
}

// Examines reports whether a report in the scope and after the cursor counts toward
// [MaxScan].
func (req ListRequest) Examines(r Report) bool {
	return req.Scope.Contains(r.OrganizationID) &&
		(req.Cursor == 0 || req.OldestFirst && r.ID > req.Cursor || !req.OldestFirst && r.ID < req.Cursor) &&
		(req.Filter.Status == "" || r.Status == req.Filter.Status)
}

// NewPage returns the page for the reports that a store has found. They are the page of
// [step.ReadPage], with the limit of the request, of those examined reports that the filter
// matches, in the order of the request. The last ID is that of the last examined report if others
// remain, else 0.
func NewPage(found step.Page[Report], last int64) Page {
	if found.More {
		last = found.Last().ID
	}
	return Page{Reports: found.Items, NextCursor: last}
}
