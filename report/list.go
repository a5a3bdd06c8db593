package report

import (
	"cmp"
	"context"

	"github.com/apguard/apguard/asset"
)

// The limits of a page of reports.
const (
	// MaxLimit is the maximum number of reports on a page.
	MaxLimit = 100
	// DefaultLimit is the limit of a request whose limit is 0.
	DefaultLimit = 50
)

// ListRequest is the request of [Service.List].
type ListRequest struct {
	Scope  Scope
	Filter Filter
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
	// Reports are ordered by descending ID, so the newest comes first.
	Reports []Report `json:"reports"`
	// NextCursor is the cursor of the next page, or 0 if this is the last page.
	NextCursor int64 `json:"nextCursor,omitzero"`
}

// List returns a page of the reports in the scope that the filter matches. The error is
// that of [ListRequest.Validate].
func (s *Service) List(ctx context.Context, req ListRequest) (Page, error) {
	if err := req.Validate(); err != nil {
		return Page{}, err
	}
	limit := cmp.Or(req.Limit, DefaultLimit)
	req.Limit = limit + 1 // one more tells whether there is a next page
	reports, err := s.store.Reports(ctx, req)
	if err != nil || len(reports) <= limit {
		return Page{Reports: reports}, err
	}
	return Page{Reports: reports[:limit], NextCursor: reports[limit-1].ID}, nil
}
