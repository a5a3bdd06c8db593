package asset

import (
	"cmp"
	"context"
	"iter"
	"strings"
	"time"

	"github.com/apguard/apguard/step"
)

// The limits of a page of [Service.List], in assets. [MaxPageBytes] also limits it.
const (
	MaxListLimit     = 10_000
	DefaultListLimit = 1000
)

// ListRequest asks for a page of assets.
type ListRequest struct {
	Filter Filter
	// Cursor is the NextCursor of the previous page, or 0 for the first page.
	Cursor int64
	// Limit is the largest number of assets to return, up to [MaxListLimit]. Zero means
	// [DefaultListLimit].
	Limit int
}

// Validate returns an [*InputError] if the filter, the cursor or the limit is invalid.
func (req ListRequest) Validate() error {
	var issues Issues
	issues.CheckOptionalID("cursor", req.Cursor)
	issues.CheckLimit(req.Limit, MaxListLimit)
	return JoinInput(issues.Err(), req.Filter.Validate())
}

// Listed is an asset in a list.
type Listed struct {
	Known
	// UpdatedAt is the time of the newest [Change] of the asset, or zero if there is none. It is in UTC
	// and has whole milliseconds.
	UpdatedAt time.Time `json:"updatedAt,omitzero"`
}

// PageBytes implements [PageItem].
func (l Listed) PageBytes() int {
	return step.PageBytes(l.Canonical, l.Note)
}

// ListPage is a page of assets, ordered by ID.
type ListPage struct {
	Assets []Listed `json:"assets"`
	// NextCursor continues the list. It is 0 on the last page.
	NextCursor int64 `json:"nextCursor,omitzero"`
}

// List returns a page of the assets that match the filter, ordered by ID. The page has at
// most [MaxPageBytes], so it may be shorter than the limit and still have a next one. The
// error is an [*InputError] if the request is invalid.
func (s *Service) List(ctx context.Context, req ListRequest) (ListPage, error) {
	if err := req.Validate(); err != nil {
		return ListPage{}, err
	}
	req.Limit = cmp.Or(req.Limit, DefaultListLimit)
	found, err := s.store.Assets(ctx, req)
	page := ListPage{Assets: found.Items}
	if found.More {
		page.NextCursor = found.Last().ID
	}
	return page, err
}

// All yields every asset that matches the filter and whose ID is above after, ordered by
// ID. It reads page by page: it keeps one page in memory and holds no resource of the
// store while the loop body runs. An asset that changes meanwhile is yielded as it is when
// its page is read.
//
// An error ends the sequence. It is an [*InputError] if the filter or after is invalid.
func (s *Service) All(ctx context.Context, filter Filter, after int64) iter.Seq2[Listed, error] {
	if err := (ListRequest{Filter: filter, Cursor: after}).Validate(); err != nil {
		return failed[Listed](err)
	}
	return step.Pages(after, func(l Listed) int64 { return l.ID }, func(after int64, limit int) (step.Page[Listed], error) {
		return s.store.Assets(ctx, ListRequest{Filter: filter, Cursor: after, Limit: limit})
	})
}

// Filter selects assets. All fields that are set must match; the zero Filter matches every
// asset.
type Filter struct {
	Status Status
	Type   Type
	// Prefix is the beginning of the canonical form.
	Prefix string
	// ChangedSince selects assets that have a change at or after this time.
	ChangedSince time.Time
}

// Validate returns an [*InputError] if the status or type does not exist or the prefix is
// invalid.
func (f Filter) Validate() error {
	var issues Issues
	issues.Check(f.Status == "" || f.Status.Valid(), "status", "must be UNKNOWN, ALLOWED or BLOCKED")
	issues.Check(f.Type == "" || f.Type.Valid(), "type", "must be an asset type")
	issues.CheckText("prefix", f.Prefix)
	return issues.Err()
}

// Match reports whether the filter selects the asset. [Store.Assets] must return the same
// assets.
func (f Filter) Match(l Listed) bool {
	return (f.Status == "" || f.Status == l.Status) &&
		(f.Type == "" || f.Type == l.Type) &&
		strings.HasPrefix(l.Canonical, f.Prefix) &&
		(f.ChangedSince.IsZero() || !l.UpdatedAt.IsZero() && !l.UpdatedAt.Before(f.ChangedSince))
}
