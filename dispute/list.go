package dispute

import (
	"cmp"
	"context"
	"time"

	"github.com/apguard/apguard/asset"
)

// Limits of a page.
const (
	// DefaultLimit is the number of disputes on a page if none is given.
	DefaultLimit = 50
	// MaxLimit is the maximum number of disputes on a page.
	MaxLimit = 100
)

// ListRequest is the request of [QueueService.List].
type ListRequest struct {
	Filter Filter
	// Cursor is the NextCursor of the previous page. Zero means the first page.
	Cursor Cursor
	// Limit is the maximum number of disputes on the page, up to [MaxLimit]. Zero means
	// [DefaultLimit].
	Limit int
	// OldestFirst lists the oldest dispute first. By default, the newest comes first.
	OldestFirst bool
}

// Cursor is a position in a list: right after the dispute with this creation time and ID.
// The zero value is the start.
type Cursor struct {
	At time.Time `json:"createdAt"`
	ID int64     `json:"id"`
}

// Cursor returns the position right after d.
func (d Dispute) Cursor() Cursor {
	return Cursor{At: d.CreatedAt, ID: d.ID}
}

// Page is the result of [QueueService.List].
type Page struct {
	// Disputes have neither descriptions nor notes; see [QueueService.Get].
	Disputes []Dispute `json:"disputes"`
	// NextCursor continues the list. It is zero on the last page.
	NextCursor Cursor `json:"nextCursor,omitzero"`
}

// Validate returns an [*asset.InputError] that lists every invalid field, or nil.
func (req ListRequest) Validate() error {
	var issues asset.Issues
	issues.CheckLimit(req.Limit, MaxLimit)
	return asset.JoinInput(issues.Err(), req.Filter.Validate())
}

// List returns a page of disputes, ordered by creation time, then by ID. Transitions and
// notes do not move a dispute within the list. The page has at most [step.MaxPageBytes],
// so it may be shorter than the limit and still have a next one.
//
// The error is an [*asset.InputError] if the request is invalid.
func (s *QueueService) List(ctx context.Context, req ListRequest) (Page, error) {
	if err := req.Validate(); err != nil {
		return Page{}, err
	}
	req.Limit = cmp.Or(req.Limit, DefaultLimit)
	found, err := s.store.Disputes(ctx, req)
	page := Page{Disputes: found.Items}
	if found.More {
		page.NextCursor = found.Last().Cursor()
	}
	return page, err
}

// Match reports whether the list contains d: whether the filter matches it and it comes
// after the cursor. [Filter.Match] explains the other arguments.
func (req ListRequest) Match(d Dispute, identity asset.Identity, emailKey string) bool {
	after := req.Cursor == (Cursor{}) || req.compareCursors(req.Cursor, d.Cursor()) < 0
	return after && req.Filter.Match(d, identity, emailKey)
}

// Compare returns a negative number if a comes before b in the list, a positive number if
// it comes after b, and 0 if they are the same dispute.
func (req ListRequest) Compare(a, b Dispute) int {
	return req.compareCursors(a.Cursor(), b.Cursor())
}

func (req ListRequest) compareCursors(a, b Cursor) int {
	if !req.OldestFirst {
		a, b = b, a
	}
	return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID))
}
